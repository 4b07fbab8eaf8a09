"""Checks a built site: check.py FOLDER. Every link must lead somewhere, and nothing may come from another server."""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself. A link that a reader follows may lead elsewhere.
FETCHED = {('script', 'src'), ('img', 'src'), ('source', 'srcset'), ('iframe', 'src'), ('link', 'href'),
           ('video', 'src'), ('object', 'data'), ('use', 'href')}
IN_CSS = re.compile(r'url\(\s*["\']?((?:https?:)?//[^)"\']+)|@import\s+["\']((?:https?:)?//[^"\']+)')


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        for name in ('id', 'name'):
            if given.get(name):
                self.ids.add(given[name])
        for name, value in attributes:
            if value and (tag, name) in FETCHED and given.get('rel') not in ('canonical', 'next', 'prev'):
                self.fetched.append(value)
            elif value and (tag, name) == ('a', 'href'):
                self.links.append(value)


def main(folder):
    root = Path(folder).resolve()
    pages = {}
    faults = []

    def page(path):
        if path not in pages:
            pages[path] = Page(path.read_text(errors='replace'))
        return pages[path]

    links = 0
    for path in sorted(root.rglob('*.html')):
        here = path.relative_to(root)
        generated = here.parts[0] == 'api'  # by javadoc, which checks its own links
        for value in page(path).fetched:
            if re.match(r'(https?:)?//', value):
                faults.append(f'{here} fetches {value}')
        # A report is one page that makes its links itself.
        links_here = [] if path.name == 'report-example-page.html' else page(path).links
        for value in links_here + page(path).fetched:
            split = urlsplit(value)
            if split.scheme or value.startswith('//') or (generated and split.fragment):
                continue
            links += 1
            target = (path.parent / unquote(split.path)).resolve() if split.path else path
            if target.is_dir():
                target = target / 'index.html'
            if not target.is_file():
                faults.append(f'{here} links to {value}, which is not there')
            elif split.fragment and target.suffix == '.html':
                if unquote(split.fragment) not in page(target).ids and not split.fragment.startswith('__'):
                    faults.append(f'{here} links to {value}, and there is no such place in that page')
    for path in root.rglob('*.css'):
        for match in IN_CSS.finditer(path.read_text(errors='replace')):
            faults.append(f'{path.relative_to(root)} fetches {match.group(1) or match.group(2)}')
    print('\n'.join(sorted(set(faults))[:100]))
    print(f'{len(pages)} pages, {links} links, {len(set(faults))} faults')
    sys.exit(bool(faults))


if __name__ == '__main__':
    main(sys.argv[1])
