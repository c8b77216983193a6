import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { judgeHarmless } from '../../../src/allow/harmless/judge.ts'
import { usesOf } from '../../../src/allow/harmless/programs.ts'
import { readOptions, HARMLESS_PROGRAMS } from '@repertoire/gate/internal/programs'
import { runs } from '@repertoire/test-servers/properties'

const requirements = readFileSync(new URL('../../../../../docs/requirements.md', import.meta.url), 'utf8')

/** Every use of every program, with all options that it has. */
const USES = HARMLESS_PROGRAMS.flatMap((program) =>
  Array.from(usesOf(program)).flatMap(([name, use]) => {
    if (use === false || name === '*') return []
    const options = readOptions(`${program.everywhere ?? ''} ${use.options ?? ''}`)
    const words = [program.names.split(' ', 1)[0]!, ...name.split(' ').filter((word) => word !== '')]
    return [{ program, use, options, words, title: words.join(' ') }]
  }),
)

describe('the data of harmless options', () => {
  test('[GATE-15] is about the programs that the requirement lists, each named once', () => {
    const [, listed = ''] = /\| GATE-15 +\| For common programs \(([^)]+)\)/.exec(requirements) ?? []
    const names = HARMLESS_PROGRAMS.map((program) => program.names.split(' ', 1)[0]!)
    expect(names.toSorted()).toEqual(listed.split(', ').toSorted())
    const all = HARMLESS_PROGRAMS.flatMap((program) => program.names.split(' '))
    expect(new Set(all).size).toBe(all.length)
  })

  test('[GATE-15] names each subcommand of a program once', () => {
    for (const { names, uses } of HARMLESS_PROGRAMS) {
      const all = Object.keys(uses).flatMap((each) => each.split(','))
      expect({ names, twice: all.filter((name, index) => all.indexOf(name) !== index) }).toEqual({ names, twice: [] })
    }
  })

  test.each(USES)('[GATE-15] checks only values of options that $title has', ({ use, options }) => {
    for (const name of Object.keys(use.values ?? {})) {
      const used = options.get(name)
      // Several uses share one set of checks, so that one may be about an option of another.
      if (used !== undefined)
        expect({ name, first: used.name, hasValue: used.values !== 'none' }).toEqual({
          name,
          first: name,
          hasValue: true,
        })
    }
  })

  test('[GATE-15] makes an option harmless by its value only where that is meant', () => {
    const both = USES.flatMap(({ use, options, title }) =>
      Array.from(options).flatMap(([name, option]) =>
        name === option.name && !option.isHarmless && use.values?.[name] !== undefined ? [`${title} ${name}`] : [],
      ),
    )
    expect(both.toSorted()).toEqual(['curl -o', 'wget -O'])
  })

  test('[GATE-15] permits no option that it does not have, wherever it stands', () => {
    const letters = fc.stringMatching(/^[a-zA-Z0-9]{1,3}$/)
    const long = fc.stringMatching(/^[a-z]{2,8}(-[a-z]{2,6})?$/)
    const given = fc.oneof(
      letters.map((name) => `-${name}`),
      long.map((name) => `--${name}`),
      long.map((name) => `--${name}=x`),
    )
    fc.assert(
      fc.property(fc.constantFrom(...USES), given, fc.boolean(), ({ program, options, words, use }, word, isLast) => {
        // Of some programs any word is a subcommand, such as the name of a script, which gets all words behind it.
        const isSubcommand = isLast && words.length === 1 && usesOf(program).has('*')
        const isPassedOn = use.passesOn !== undefined || use.named === true || isSubcommand
        const hasLetters = /^-[^-]/.test(word) && Array.from(word.slice(1)).some((letter) => options.has(`-${letter}`))
        fc.pre(
          !isPassedOn && !options.has(word.split('=')[0]!) && !hasLetters && !/^(?:-h|--help|--version)$/.test(word),
        )
        fc.pre(!(options.has('-#') && /^-\d+$/.test(word)))
        const command = isLast ? [...words, 'x', word] : [...words, word]
        expect(program.names.length).toBeGreaterThan(0)
        expect(judgeHarmless(command, 1)).toHaveProperty('problem')
      }),
      { numRuns: runs(3_000) },
    )
  })

  test('[GATE-15] permits each option that is not harmless where the rule names it, and only there', () => {
    for (const { options, words, use } of USES) {
      for (const [name, option] of options) {
        if (option.isHarmless || name !== option.name || use.operands !== undefined || use.check !== undefined) continue
        const command = [...words, name]
        expect(judgeHarmless(command, command.length)).not.toHaveProperty('problem')
        expect(judgeHarmless(command, words.length)).toHaveProperty('problem')
      }
    }
  })
})
