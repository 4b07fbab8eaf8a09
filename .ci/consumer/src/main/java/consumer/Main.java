package consumer;

public final class Main {
    public static void main(String[] args) {
        System.out.println(ModuleLayer.boot().findModule("io.lifeguard.pool").orElseThrow() + " is on the module path");
    }
}
