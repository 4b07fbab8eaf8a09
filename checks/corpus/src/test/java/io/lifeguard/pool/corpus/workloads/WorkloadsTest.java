package io.lifeguard.pool.corpus.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadsTest {

    @SuppressWarnings("unused") // a source of arguments
    private static final List<String> IDS = Workloads.IDS;

    @SuppressWarnings("unused") // a source of arguments
    private static List<Workload> all() {
        return Workloads.all();
    }

    @Test
    void all_workloads_atLeastForty() {
        assertThat(Workloads.all()).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void names_all_areUnique() {
        assertThat(Workloads.all()).extracting(Workload::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @FieldSource("IDS")
    void sick_eachId_hasTwoWorkloadsAndAHealthyNeighbour(String id) {
        assertThat(Workloads.all().stream().filter(each -> each.must().contains(id)))
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(Workloads.all().stream().filter(each -> each.near().equals(id)))
                .isNotEmpty();
    }

    @ParameterizedTest
    @FieldSource("IDS")
    void quick_eachId_hasOneSickWorkload(String id) {
        assertThat(Workloads.all().stream()
                        .filter(Workload::quick)
                        .filter(each -> each.must().contains(id)))
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("all")
    void labels_each_areOfTheCatalogueAndDoNotContradictEachOther(Workload workload) {
        assertThat(Workloads.IDS).containsAll(workload.must()).containsAll(workload.may());
        assertThat(workload.may()).noneMatch(workload.must()::contains);
        assertThat(workload.about()).isNotBlank();
        assertThat(workload.isSick()).isEqualTo(workload.near().isEmpty());
    }
}
