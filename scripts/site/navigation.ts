import { posix } from 'node:path'
import type { SitePage } from './pages.ts'

/** An entry of the navigation. */
export interface NavigationEntry {
  readonly text: string
  /** The path of a page, from the root of the site. Absent: a group. */
  readonly page?: string
  readonly items?: readonly NavigationEntry[]
  readonly collapsed?: boolean
}

/** The groups, in the order in which people ask. The headings of docs/README.md, and the group that each belongs to. */
const GROUPS = {
  Start: ['New here?'],
  Use: ['Use skills in your framework'],
  Guides: ['Write and find skills', 'Decide what a skill may do', 'Run it', 'See what happened'],
  Reference: ['Look something up'],
  'For maintainers': ['Build on it'],
} as const

/**
 * Makes the navigation from docs/README.md, so that both have the same order.
 * @throws {Error} a heading there is in no group, or a page would be in no group
 */
export function navigationOf(
  pages: readonly SitePage[],
  reference: readonly { readonly path: string; readonly title: string }[],
): readonly NavigationEntry[] {
  const index = pages.find(({ source }) => source === 'docs/README.md')
  if (index === undefined) throw new Error('There is no docs/README.md, from which the navigation is made.')
  const sections = new Map(
    index.text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [heading = '', ...lines] = section.split('\n')
        return [heading.trim(), linkedPages(lines.join('\n'), pages)] as const
      }),
  )
  const known = new Set<string>(Object.values(GROUPS).flat())
  const unknown = [...sections.keys()].filter((heading) => !known.has(heading))
  if (unknown.length > 0) {
    throw new Error(
      `docs/README.md has headings in no group of the site: ${unknown.join(', ')}. Add them to GROUPS in scripts/site/navigation.ts.`,
    )
  }
  const used = new Set([...sections.values()].flat().map(({ path }) => path))
  const rest = (pattern: RegExp): SitePage[] => pages.filter(({ path }) => pattern.test(path) && !used.has(path))
  const groups = Object.entries(GROUPS).map(([text, headings]): NavigationEntry => {
    const parts = headings.flatMap((heading) => {
      const items = (sections.get(heading) ?? []).map(entryOf)
      return items.length === 0 ? [] : [{ text: heading, items, collapsed: true }]
    })
    // One part needs no heading of its own.
    const items: NavigationEntry[] = parts.length === 1 ? [...parts[0]!.items] : parts
    if (text === 'Start') {
      const first = pages.filter(({ source }) =>
        ['README.md', 'docs/getting-started.md', 'docs/how-to.md', 'docs/README.md'].includes(source),
      )
      items.push(...first.toSorted((a, b) => startOrder(a) - startOrder(b)).map(entryOf))
      const examples = rest(/^examples\//)
      if (examples.length > 0) items.push({ text: 'Examples', items: examples.map(entryOf), collapsed: true })
    }
    if (text === 'Reference') {
      items.push({ text: 'Packages', items: rest(/^packages\//).map(entryOf), collapsed: true })
      items.push({
        text: 'API',
        items: reference.map(({ path, title }) => ({ text: title, page: path })),
        collapsed: true,
      })
    }
    if (text === 'For maintainers') items.push(...rest(/^apps\/|^contributing|^reporting/).map(entryOf))
    return { text, items }
  })
  const placed = new Set(groups.flatMap(pagesIn))
  const lost = pages.filter(({ path }) => !placed.has(path))
  if (lost.length > 0) {
    throw new Error(
      `docs/README.md links to no page ${lost.map(({ source }) => source).join(', ')}. Add a link, so that the site shows it.`,
    )
  }
  return groups
}

const startOrder = ({ source }: SitePage): number =>
  ['README.md', 'docs/getting-started.md', 'docs/how-to.md', 'docs/README.md'].indexOf(source)

const entryOf = ({ title, path }: SitePage): NavigationEntry => ({
  text: path === 'index.md' ? 'Introduction' : title,
  page: path,
})

/** The pages that a text of docs/README.md links to, in its order. */
function linkedPages(text: string, pages: readonly SitePage[]): readonly SitePage[] {
  const paths = Array.from(text.matchAll(/\]\(([^()#\s]+)/g), ([, link = '']) => posix.join('docs', link))
  const found = paths.flatMap((path) => pages.filter(({ source }) => source === path || source === `${path}/README.md`))
  return [...new Set(found)]
}

/** The paths of the pages in an entry. */
export function pagesIn({ page, items = [] }: NavigationEntry): readonly string[] {
  return [...(page === undefined ? [] : [page]), ...items.flatMap(pagesIn)]
}
