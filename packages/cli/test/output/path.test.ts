import { expect, it } from 'vitest'
import { shownPath } from '../../src/output/path.ts'

it.each([
  ['/home/a/SKILL.md', '/home', 'a/SKILL.md'],
  ['/home', '/home', '/home'],
  ['/homework/a', '/home', '/homework/a'],
  ['/other/a', '/home', '/other/a'],
  ['/home/..a/b', '/home', '..a/b'],
  ['memory:x/pdf/SKILL.md', '/home', 'memory:x/pdf/SKILL.md'],
  ['/home/\u001B[31m', '/home', String.raw`\u{1B}[31m`],
])('shows %s, seen from %s, as %s', (path, folder, expected) => {
  expect(shownPath(path, folder)).toBe(expected)
})
