import * as fc from 'fast-check'
import process from 'node:process'

/**
 * How many examples a property of many has: all of them in CI, and a quarter where people wait for the tests. The
 * examples are the same in every run unless `PROPERTY_SEED` says otherwise, so repeating all of them finds nothing new.
 */
export function runs(most: number): number {
  return process.env['CI'] === undefined ? Math.ceil(most / 4) : most
}

const seed = Number(process.env['SAMPLE_SEED'] ?? Math.floor(Math.random() * 1_000))

/**
 * Returns all of a list in CI, and one of so many where people wait for the tests, from the place that a seed chooses.
 * Put the text in the title: it names the seed, which `SAMPLE_SEED` plays again.
 */
export function sample<T>(
  all: readonly T[],
  of: number,
): { readonly chosen: readonly T[]; readonly seed: number; readonly text: string } {
  if (process.env['CI'] !== undefined) return { chosen: all, seed, text: 'all' }
  return { chosen: all.filter((_, index) => index % of === seed % of), seed, text: `1 in ${of}, SAMPLE_SEED=${seed}` }
}

const FIRST_SURROGATE = 0xd8_00
const SURROGATES = 0x8_00
const MAX_CODE_POINT = 0x10_ff_ff

/**
 * Any code point but the halves of a pair: the unit of strings of anything. fast-check's own, `unit: 'binary'`, is the
 * same, but keeps a table of a million characters, which takes a second and a hundred megabytes in every worker.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: MAX_CODE_POINT - SURROGATES }).map(
  (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined
    if (code === undefined || character !== String.fromCodePoint(code)) throw new Error('It is not one character.')
    if (code < FIRST_SURROGATE) return code
    if (code < FIRST_SURROGATE + SURROGATES) throw new Error('It is half of a pair.')
    return code - SURROGATES
  },
)

/** A value of any type, passed as a program without types may pass it. */
export function foreign(value: unknown): never {
  return value as never
}
