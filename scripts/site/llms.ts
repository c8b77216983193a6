import type { NavigationEntry } from './navigation.ts'
import { summaryOf } from './pages.ts'

/** Makes llms.txt: the pages in the order of the navigation, each with its address as Markdown and its first sentence. */
export function llmsText(
  navigation: readonly NavigationEntry[],
  pages: readonly { readonly path: string; readonly text: string }[],
  base: string,
): string {
  const texts = new Map(pages.map(({ path, text }) => [path, text]))
  const lines = ({ text, page, items = [] }: NavigationEntry): readonly string[] => [
    ...(page === undefined ? [] : [line(text, page)]),
    ...items.flatMap(lines),
  ]
  const line = (title: string, page: string): string => {
    const summary = page.startsWith('reference/') ? '' : summaryOf(texts.get(page) ?? '')
    return `- [${title}](${base}${page})${summary === '' ? '' : `: ${summary}`}`
  }
  const sections = navigation.map((group) => `## ${group.text}\n\n${lines(group).join('\n')}\n`)
  return `# Repertoire\n\n> Agent Skills for every agent framework, with the same behaviour in each of them.\n\n${sections.join('\n')}`
}
