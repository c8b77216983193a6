import { describe, expect, it } from 'vitest'
import { compileAtOnce } from '../scripts/compile-at-once.ts'

const MODULE = `import { sep } from 'node:path'
const first = called(1)
function called(value) {
  return other(value) + sep
}
export { called, first, kinds }
function other(value) {
  return \`\${value}\${later}\`
}
var later = '!'
async function waits() {
  return 'waited'
}
function* yields() {
  yield 'yielded'
}
const kinds = [waits, yields].map(({ name, constructor }) => name + ':' + constructor.name)
const held = () => { function called() {} return called }
`
const ALL = ['called', 'other', 'waits', 'yields']

async function evaluated(code: string): Promise<Readonly<Record<string, unknown>>> {
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

describe('functions that are compiled with their file', () => {
  it('[NFR-5] are in parentheses, above all that calls them', () => {
    const lines = compileAtOnce(MODULE, new Set(['called', 'waits']))
      .toString()
      .split('\n')
    expect(lines.slice(0, 2)).toEqual([`import { sep } from 'node:path'`, 'var called = (function (value) {'])
    expect(lines.indexOf('var waits = (async function () {')).toBeLessThan(lines.indexOf('const first = called(1)'))
    // What is not named is left where it is, and so is what stands in another function.
    expect(lines).toContain('function other(value) {')
    expect(lines).toContain('const held = () => { function called() {} return called }')
  })

  it.each([[[]], [['called']], [ALL]])(
    '[NFR-5] make the same module as they were, by their names: %j',
    async (names) => {
      const { called, first, kinds } = await evaluated(compileAtOnce(MODULE, new Set(names)).toString())
      expect(first).toBe('1undefined/')
      expect((called as (value: number) => string)(2)).toBe('2!/')
      expect((called as () => void).name).toBe('called')
      expect(kinds).toEqual(['waits:AsyncFunction', 'yields:GeneratorFunction'])
    },
  )

  it.each([
    ['give themselves another value', 'export const r = [f(), f()]\nfunction f() { f = () => 2; return 1 }\n', [1, 2]],
    [
      'stand among imports',
      `import 'node:path'\nconst r = f()\nimport { sep } from 'node:path'\nfunction f() { return sep }\nexport { r }\n`,
      '/',
    ],
    [
      'stand above all imports',
      `function f() { return sep }\nimport { sep } from 'node:path'\nexport const r = f()\n`,
      '/',
    ],
    ['stand below a line for the shell', '#!/usr/bin/env node\nexport const r = f()\nfunction f() { return 1 }\n', 1],
    ['are exported', 'export const r = f()\nexport function f() { return 1 }\n', 1],
  ])('[NFR-5] make the same module where they %s', async (_, code, expected) => {
    expect((await evaluated(code))['r']).toEqual(expected)
    expect((await evaluated(compileAtOnce(code, new Set(['f'])).toString()))['r']).toEqual(expected)
  })

  it('[NFR-5] leave a file alone in which there are none', () => {
    expect(compileAtOnce(MODULE, new Set()).toString()).toBe(MODULE)
    expect(compileAtOnce('function a() {}\n', new Set(['a'])).toString()).toBe('var a = (function () {});\n\n')
  })
})
