import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sectionOf, withSection } from '../marked-section.ts'

const BEGIN = '<!-- matrix:begin -->'
const END = '<!-- matrix:end -->'

test('[CONF-3] puts a text between the markers, and touches nothing else', () => {
  const text = `# Title\n\n${BEGIN}\n\nold\n\n${END}\n\nMore.\n`
  expect(sectionOf(text, 'matrix', 'a.md')).toBe('old')
  const changed = withSection(text, 'matrix', 'new\n', 'a.md')
  expect(changed).toBe(`# Title\n\n${BEGIN}\n\nnew\n\n${END}\n\nMore.\n`)
  expect(withSection(`${BEGIN}${END}`, 'matrix', 'new', 'a.md')).toBe(`${BEGIN}\n\nnew\n\n${END}`)
})

test('[CONF-3] finds again what it put there, and changes nothing the second time', () => {
  const plain = fc.string().filter((text) => !text.includes('<!--'))
  fc.assert(
    fc.property(plain, plain, plain, plain, (before, old, after, content) => {
      const text = withSection(`${before}${BEGIN}${old}${END}${after}`, 'matrix', content, 'a.md')
      expect(sectionOf(text, 'matrix', 'a.md')).toBe(content.trim())
      expect(withSection(text, 'matrix', content, 'a.md')).toBe(text)
      expect(text.startsWith(before)).toBe(true)
      expect(text.endsWith(after)).toBe(true)
    }),
  )
})

test.each([
  ['no markers', 'text'],
  ['no end', `${BEGIN} text`],
  ['no beginning', `text ${END}`],
  ['two beginnings', `${BEGIN}${BEGIN}${END}`],
  ['two ends', `${BEGIN}${END}${END}`],
  ['an end before the beginning', `${END}${BEGIN}${END}`],
  ['markers of another name', '<!-- other:begin --><!-- other:end -->'],
])('[CONF-3] refuses a document with %s, and says what it needs', (_, text) => {
  for (const attempt of [() => sectionOf(text, 'matrix', 'a.md'), () => withSection(text, 'matrix', 'x', 'a.md')]) {
    expect(attempt).toThrow(`a.md needs the lines "${BEGIN}" and "${END}", once each and in this order.`)
  }
})
