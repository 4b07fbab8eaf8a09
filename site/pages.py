"""Gathers the pages of the repository for MkDocs: pages.py TARGET JAVADOC REPORT.

Pages keep their paths, so that their links work as they do in the repository. What they link to is gathered too:
files as they are, and folders as a page that lists their files. The repository's pages are not changed.
"""
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

LINK = re.compile(r'(?:\]\(|src="|srcset="|href=")(?!https?:|mailto:|#)([^)"#\s]+)')
MODULE = re.compile(r'(pool-[a-z]+)-\d.*-javadoc\.jar')


def tracked():
    names = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                           capture_output=True, check=True, text=True)
    return {name for name in names.stdout.split('\0') if name}


def wanted(name):
    return name.endswith('.md') and not re.match(r'(packaging|\.ci)/', name)


def gather(target):
    files = tracked()
    folders = {str(parent) for name in files for parent in Path(name).parents}
    todo = [name for name in sorted(files) if wanted(name)]
    done = set()
    while todo:
        name = todo.pop()
        if name in done:
            continue
        done.add(name)
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not name.endswith('.md'):
            shutil.copyfile(name, copy)
            continue
        text = Path(name).read_text()

        def follow(match):
            path = os.path.normpath(os.path.join(os.path.dirname(name), match.group(1)))
            if path in files:
                todo.append(path)
                return match.group(0)
            if path in folders:
                page = f'{path}/README.md' if f'{path}/README.md' in files else f'{path}/files.md'
                if page.endswith('files.md'):
                    listing(target, path, files)
                return match.group(0).replace(match.group(1), os.path.relpath(page, os.path.dirname(name) or '.'))
            return match.group(0)  # MkDocs will say that it leads nowhere

        copy.write_text(LINK.sub(follow, text))


def listing(target, folder, files):
    page = target / folder / 'files.md'
    page.parent.mkdir(parents=True, exist_ok=True)
    inside = sorted(name for name in files if name.startswith(folder + '/'))
    page.write_text(f'# {folder}\n\nThe files of this folder in the repository:\n\n'
                    + ''.join(f'- `{name[len(folder) + 1:]}`\n' for name in inside))


def javadoc(target, source):
    modules = {}
    for jar in sorted(Path(source).rglob('*-javadoc.jar')):
        match = MODULE.fullmatch(jar.name)
        if match and 'site-source' not in jar.parts:
            modules.setdefault(match.group(1), jar)
    if not modules:
        sys.exit(f'no jar of Javadoc below {source}')
    for module, jar in modules.items():
        with zipfile.ZipFile(jar) as files:
            files.extractall(target / 'api' / module)
        shutil.rmtree(target / 'api' / module / 'META-INF', ignore_errors=True)
    (target / 'docs/api.md').write_text(
        '# API\n\nThe Javadoc of each module:\n\n'
        + ''.join(f'- <a href="../api/{module}/index.html">`{module}`</a>\n' for module in sorted(modules)))


def report(target, file):
    shutil.copyfile(file, target / 'docs/report-example-page.html')
    (target / 'docs/report-example.md').write_text(
        '# A live report\n\nThis is the [report](report.md) that the [example in the README](../README.md#try-it) made '
        'when this site was built. Move, zoom and click. '
        '<a href="report-example-page.html">Open it alone</a>.\n\n'
        '<iframe class="report" src="report-example-page.html" title="A report of an example"></iframe>\n')


def configuration(target):
    text = Path('site/mkdocs.yml').read_text()
    findings = sorted(path.stem for path in (target / 'docs/findings').glob('*.md') if path.stem != 'README')
    text = text.replace('      - FINDINGS\n', ''.join(f'      - {name}: docs/findings/{name}.md\n' for name in findings))
    text = text.replace('  - hooks.py', f'  - {Path("site/hooks.py").absolute()}')
    Path('target/site-source.yml').write_text(text)


def main(target, javadoc_folder, report_file):
    target = Path(target)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    gather(target)
    shutil.copytree('site/assets', target / 'assets', dirs_exist_ok=True)
    javadoc(target, javadoc_folder)
    report(target, report_file)
    configuration(target)


if __name__ == '__main__':
    main(*sys.argv[1:])
