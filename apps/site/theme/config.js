import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const { base, repository, navigation, sources } = JSON.parse(
  readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'site.json'), 'utf8'),
)

const link = (page) => `/${page.replace(/(?:index)?\.md$/, '')}`
const entry = ({ text, page, items, collapsed }) => ({
  text,
  ...(page !== undefined && { link: link(page) }),
  ...(items !== undefined && { items: items.map(entry) }),
  ...(collapsed !== undefined && { collapsed }),
})
const firstPage = ({ page, items }) => page ?? firstPage(items[0])

/** The anchors that a code host makes of headings, so that links hold in both places. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Two braces in a page are text, and no expression of Vue. */
function keepBraces(markdown) {
  const render = markdown.renderer.render.bind(markdown.renderer)
  markdown.renderer.render = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
}

/** Each cell has the heading of its column, shown where a table becomes a list. A row of a code can be linked to. */
function labelCells(markdown) {
  markdown.core.ruler.push('label-cells', ({ tokens }) => {
    let headings = []
    let column = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'thead_open') headings = []
      if (token.type === 'th_open') headings.push(tokens[index + 1].content.replaceAll('`', ''))
      if (token.type === 'tr_open') {
        column = 0
        const [, code] = CODE.exec(tokens[index + 2]?.content ?? '') ?? []
        if (code !== undefined) token.attrSet('id', slugify(code))
      }
      if (token.type === 'td_open') token.attrSet('data-label', headings[column++] ?? '')
    }
  })
}

/** A code of an error, alone in its cell. */
const CODE = /^`([A-Z]+(?:_[A-Z]+)+)`$/

/** The reference is found by the names of exports, and not by every word of its declarations. */
function searchedText(source, env, markdown) {
  const isReference = env.relativePath.startsWith('reference/')
  if (isReference) return markdown.render(source.match(/^#{1,3} .+$/gm).join('\n\n'), env)
  // A row of the page of codes is found by its code, like a section.
  const rows = source.replaceAll(/^\| `([A-Z]+(?:_[A-Z]+)+)` +\|[^|]*\| (.*) \|$/gm, '\n## $1\n\n$2\n')
  return markdown.render(env.relativePath === 'errors.md' ? rows : source, env)
}

function extendMarkdown(markdown) {
  keepBraces(markdown)
  labelCells(markdown)
}

/** A stack of cards, one of them in front. */
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect x='8' y='3' width='20' height='16' rx='3' fill='#b9b4f5'/><rect x='4' y='9' width='22' height='19' rx='3' fill='#4b42c4'/><path d='M9 16h12M9 21h8' stroke='#fff' stroke-width='2.4' stroke-linecap='round'/></svg>"

export default defineConfig({
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  title: 'Repertoire',
  description: 'Agent Skills for every agent framework, with the same behaviour in each of them.',
  lang: 'en',
  base,
  outDir: '../dist',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  appearance: true,
  // A link to another page that is not there fails the build. A test checks anchors.
  ignoreDeadLinks: 'localhostLinks',
  markdown: { attrs: { disable: true }, anchor: { slugify }, config: extendMarkdown },
  transformPageData: ({ relativePath }) => ({ filePath: sources[relativePath] ?? 'docs/api.md' }),
  themeConfig: {
    nav: navigation.map((group) => ({ text: group.text, link: link(firstPage(group)) })),
    sidebar: navigation.map(entry),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { _render: searchedText } },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/blob/main/:path`, text: 'Source of this page' },
    docFooter: { prev: false, next: false },
  },
})
