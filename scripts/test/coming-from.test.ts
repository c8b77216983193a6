import { expect, it } from 'vitest'
import { DEFAULT_TOOL_NAMES } from '../../packages/core/src/tools/definitions.ts'
import { readAll, readPages } from './pages.ts'

/** The public API of every package, as `npm run api` has written it. */
const api = readAll(['docs/api/*.md'])
const known = new Set(api.flatMap(({ text }) => text.match(/\w+/g) ?? []))
for (const name of Object.values(DEFAULT_TOOL_NAMES)) known.add(name)

/** The names in a piece of code. Strings are values, and rules and templates have their own languages. */
function namesIn(code: string): readonly string[] {
  if (/^(?:@|Bash\(|cd\b|\{[{%])/.test(code)) return []
  return code.replaceAll(/'[^']*'/g, '').match(/[A-Za-z_]\w+/g) ?? []
}

it('[NFR-4] the page for those who come from another loader names nothing on this side that does not exist', () => {
  const { text } = readPages().find(({ path }) => path === 'docs/coming-from-another-system.md')!
  const here = text.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(/(?<!\\)\|/)[2] ?? ''] : []))
  const names = here.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => namesIn(code)).flat())
  expect(names.length).toBeGreaterThan(80)
  expect([...new Set(names)].filter((name) => !known.has(name))).toEqual([])
})
