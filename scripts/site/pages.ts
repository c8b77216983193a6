import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A page of the site: a Markdown file of the repository. */
export interface SitePage {
  /** From the root of the repository: `docs/consent.md`. */
  readonly source: string
  /** From the root of the site: `consent.md`. */
  readonly path: string
  readonly title: string
  readonly text: string
}

/** Where the Markdown files of the repository are on the site. */
const PLACES: readonly (readonly [pattern: string, place: (file: string) => string])[] = [
  ['README.md', () => 'index.md'],
  ['CONTRIBUTING.md', () => 'contributing.md'],
  ['SECURITY.md', () => 'reporting.md'],
  ['docs/README.md', () => 'pages.md'],
  ['docs/*.md', (file) => basename(file)],
  ['packages/*/README.md', (file) => `packages/${basename(dirname(file))}.md`],
  ['examples/README.md', () => 'examples/index.md'],
  ['examples/*/README.md', (file) => `examples/${basename(dirname(file))}.md`],
  ['hosts/results.md', () => 'other-loaders-results.md'],
  ['apps/*/README.md', (file) => `apps/${basename(dirname(file))}.md`],
]

/** Reads the pages, with their texts as they are in the repository. */
export function readSitePages(): readonly SitePage[] {
  const pages = new Map<string, SitePage>()
  for (const [pattern, place] of PLACES) {
    for (const source of globSync(pattern, { cwd: ROOT }).toSorted()) {
      if (pages.has(source) || source === 'packages/test-servers/README.md') continue
      const text = readFileSync(join(ROOT, source), 'utf8')
      pages.set(source, { source, path: place(source), title: titleOf(text), text })
    }
  }
  return [...pages.values()]
}

/** The text of the first heading. */
function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '')
}

/** Applies a function to what is not code. */
function mapProse(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^ *```[^]*?^ *```$|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

/** Rewrites the relative links of a page: `linkTo` returns the link to a path of the repository. */
function mapLinks({ source, text }: SitePage, linkTo: (path: string, anchor: string) => string): string {
  const rewrite = (link: string): string => {
    const [path = '', anchor = ''] = link.split('#')
    if (path === '' || /^[a-z][a-z+.-]*:/i.test(link)) return link
    return linkTo(posix.join(dirname(source), decodeURI(path)).replace(/\/$/, ''), anchor && `#${anchor}`)
  }
  // In prose, and in the attributes of elements. The text of a link may hold code.
  const links = /(?<=\]\()[^()\s]+(?=\))|(?<=(?:src|srcset|href)=")[^"]+(?=")/g
  return text
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(links, rewrite)))
    .join('')
}

const { homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly homepage: string }

/** The address of the repository. */
export const REPOSITORY = homepage.replace(/#.*$/, '')

/** The address of a file or a folder of the repository. */
function repositoryLink(path: string, anchor: string): string {
  const full = join(ROOT, path)
  const kind = existsSync(full) && statSync(full).isDirectory() ? 'tree' : 'blob'
  return `${REPOSITORY}/${kind}/main/${path}${anchor}`
}

/** The text of a page as the site has it: with links to its other pages, and to the repository for all else. */
export function siteText(page: SitePage, pages: readonly SitePage[]): string {
  const places = new Map(
    pages.flatMap(({ source, path }) => [[source, path] as const, [dirname(source), path] as const]),
  )
  for (const { source, path } of pages) places.set(source, path)
  const up = '../'.repeat(page.path.split('/').length - 1)
  const linked = mapLinks(page, (path, anchor) => {
    const place = places.get(path) ?? (path.startsWith('docs/api') ? apiPage(path) : undefined)
    if (place !== undefined) return `${up === '' ? './' : up}${place}${anchor}`
    return path.startsWith('docs/pictures/') ? `/${path.slice('docs/'.length)}` : repositoryLink(path, anchor)
  })
  return mapProse(linked, themedPicture)
}

/** The page of the reference in the place of a report: `docs/api/core.api.md` is `reference/core.md`. */
function apiPage(path: string): string {
  const name = /^docs\/api\/(.+)\.api\.md$/.exec(path)?.[1]
  return name === undefined ? 'reference/index.md' : `reference/${name}.md`
}

/** A `picture` follows the theme of the system; on the site a person chooses the theme. */
function themedPicture(prose: string): string {
  return prose.replaceAll(
    /<picture>\s*<source[^>]*srcset="([^"]+)"[^>]*>\s*<img ([^>]*?)src="([^"]+)"([^>]*)>\s*<\/picture>/g,
    (_, dark: string, before: string, light: string, after: string) =>
      `<img class="in-light" ${before}src="${light}"${after}><img class="in-dark" ${before}src="${dark}"${after}>`,
  )
}
