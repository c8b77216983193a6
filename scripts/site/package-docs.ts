import { basename, dirname } from 'node:path'
import { mapLinks, readSitePages, repositoryLink } from './pages.ts'

/** The pages about each package, by its folder. */
export const PACKAGE_PAGES: Readonly<Record<string, readonly string[]>> = {
  'ai-sdk': ['ai-sdk', 'nextjs'],
  'claude-agent': ['claude-agent'],
  cli: ['command', 'configuration', 'inspector', 'what-happened'],
  conformance: ['adapters', 'conformance', 'testing-skills', 'testing-your-loader'],
  core: [
    'audit',
    'configuration',
    'consent',
    'cost',
    'deploying',
    'errors',
    'how-to',
    'hundreds-of-skills',
    'listing',
    'long-conversations',
    'recipe',
    'restrict-or-pre-approve',
    'rules-and-policy',
    'scripts',
    'search',
    'sessions',
    'skill-types',
    'sources',
    'sub-agents',
    'tool-names',
    'turns',
    'what-happened',
  ],
  gate: ['rules-and-policy', 'tool-names'],
  langchain: ['langchain', 'langgraph'],
  library: ['export', 'from-one-folder-to-many-machines', 'indexes', 'install', 'library', 'origins'],
  mastra: ['mastra'],
  'openai-agents': ['openai-agents'],
  'react-loop': ['react-loop'],
  runners: ['runners', 'scripts'],
  'skill-md': ['skill-files'],
  storage: ['from-one-folder-to-many-machines', 'session-stores', 'storage'],
  tools: ['built-in-tools', 'tool-names'],
}

/**
 * Returns the pages about a package, by their file names, with links that hold where only the package is installed.
 * @param folder the package's, below `packages`
 * @throws {Error} the package has no pages, or one of them does not exist
 */
export function packageDocs(folder: string): ReadonlyMap<string, string> {
  const names = PACKAGE_PAGES[folder]
  if (names === undefined) {
    throw new Error(
      `No page is named for packages/${folder}. Add some to PACKAGE_PAGES in scripts/site/package-docs.ts.`,
    )
  }
  const pages = new Map(readSitePages().map((page) => [page.source, page]))
  return new Map(
    names.map((name) => {
      const page = pages.get(`docs/${name}.md`)
      if (page === undefined) throw new Error(`There is no docs/${name}.md, which packages/${folder} should bring.`)
      const text = mapLinks(page, (path, anchor) => {
        const isBeside = dirname(path) === 'docs' && names.includes(basename(path, '.md'))
        return isBeside ? `${basename(path)}${anchor}` : repositoryLink(path, anchor)
      })
      return [`${name}.md`, text] as const
    }),
  )
}
