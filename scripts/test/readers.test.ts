import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { READERS } from '@repertoire/gate/internal'

const page = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
const readers = Array.from(READERS)

test.each([
  ['Files and texts', readers.filter(([name]) => !name.includes(' ')).map(([name]) => name)],
  ...['git', 'gh'].map((program): [string, string[]] => [
    program,
    readers.filter(([name]) => name.startsWith(`${program} `)).map(([name]) => name.slice(program.length + 1)),
  ]),
])('[GATE-15] the page lists the readers of the gate: %s', (title, names) => {
  expect(page.split('\n')).toContain(`- **${title}**: ${names.map((name) => `\`${name}\``).join(', ')}`)
})

test('[GATE-15] the page says which readers take fewer operands, or a format', () => {
  const limited = readers.flatMap(([name, { operands, syntax }]) => {
    if (operands !== undefined) return [`\`${name}\`: ${operands === 0 ? 'options only' : 'one file'}`]
    return syntax === 'format' ? [`\`${name}\`: a format of `] : []
  })
  expect(limited.filter((text) => !page.includes(text))).toEqual([])
})
