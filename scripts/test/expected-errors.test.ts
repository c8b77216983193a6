import { expect, it } from 'vitest'
import { readAll } from './pages.ts'

/** An expected error of which only the class is named, or nothing. */
const BARE = /\.toThrow(?:Error)?\((?:[A-Z]\w*)?\)|\.rejects\.toBeInstanceOf\(/
const subjectOf = (line: string | undefined): string | undefined => line?.split(/\.(?:rejects|toThrow)/)[0]

/**
 * Finds lines that expect an error of any reason, unless the line before or after tells the reason of the same error.
 */
function anyErrors(text: string): readonly string[] {
  const lines = text.split('\n')
  const tellsReason = (other: string | undefined, line: string): boolean =>
    other !== undefined &&
    /\.(?:toThrow|rejects\.toMatchObject)\(/.test(other) &&
    !BARE.test(other) &&
    subjectOf(other) === subjectOf(line)
  return lines.filter(
    (line, at) =>
      BARE.test(line) &&
      !line.includes('.not.toThrow') &&
      !tellsReason(lines[at - 1], line) &&
      !tellsReason(lines[at + 1], line),
  )
}

it('finds tests that expect an error of any reason', () => {
  const bare = ['expect(a).toThrow()', 'expect(a).toThrow(TypeError)', 'await expect(a).rejects.toBeInstanceOf(Error)']
  expect(anyErrors(bare.join('\n'))).toEqual(bare)
  const told = ["expect(a).toThrow('is not')", 'expect(a).toThrow(TypeError)', 'expect(b).not.toThrow()']
  expect(anyErrors(told.join('\n'))).toEqual([])
})

it('every test that expects an error tells the reason: a test that fails for any reason proves nothing', () => {
  const tests = readAll(['{packages,apps}/*/{src,test}/**/*.ts', '{examples,scripts}/test/**/*.ts'])
  expect(tests.length).toBeGreaterThan(1000)
  const own = 'scripts/test/expected-errors.test.ts'
  const found = tests.flatMap(({ path, text }) => (path === own ? [] : anyErrors(text).map((line) => [path, line])))
  expect(found).toEqual([])
})
