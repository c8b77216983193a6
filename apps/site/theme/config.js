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

/** The reference is found by the names of exports, and not by every word of its declarations. */
function searchedText(source, env, markdown) {
  const isReference = env.relativePath.startsWith('reference/')
  return markdown.render(isReference ? source.match(/^#{1,3} .+$/gm).join('\n\n') : source, env)
}

export default defineConfig({
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
  markdown: { attrs: { disable: true }, anchor: { slugify }, config: keepBraces },
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
