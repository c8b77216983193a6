// An algorithm of its own: a session shows its results only inside of whole activations.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { applyArguments, splitWords } from './arguments.ts'

describe('applyArguments', () => {
  it.each([
    ['the whole text', 'Fix $ARGUMENTS.', 'issue 12', 'Fix issue 12.'],
    ['words, counted from one', 'Move $1 to $2.', 'a.md b.md', 'Move a.md to b.md.'],
    ['words, counted from zero', 'Move $ARGUMENTS[0] to $ARGUMENTS[1].', 'a.md b.md', 'Move a.md to b.md.'],
    ['a word of several, in quotes', 'Say $1 and $2.', '"hello world" \'good bye\'', 'Say hello world and good bye.'],
    ['the tenth word, and not the first with a zero', '$10', 'a b c d e f g h i j', 'j'],
    ['the same one more than once', '$1 $1 $ARGUMENTS', 'a', 'a a a'],
    ['where a bracket is not an index', '$ARGUMENTS[x] $ARGUMENTS[-1]', 'a b', 'a b[x] a b[-1]'],
    ['beside letters that are not a word of a shell', '「$1」を$ARGUMENTSに', 'a', '「a」をaに'],
    ['in code blocks', '```sh\nrun $1\n```', 'a', '```sh\nrun a\n```'],
    ['a text of several lines', 'Do:\n$ARGUMENTS\nThen stop.', 'one\ntwo', 'Do:\none\ntwo\nThen stop.'],
  ])('[ACT-9] puts in %s', (_, body, args, expected) => {
    expect(applyArguments(body, args)).toBe(expected)
  })

  it.each([
    ['\\$1 $1', 'a', '$1 a'],
    ['\\$ARGUMENTS[0] $ARGUMENTS[0]', 'a', '$ARGUMENTS[0] a'],
    ['\\\\$ARGUMENTS $1', 'a', '\\$ARGUMENTS a'],
  ])('[ACT-9] keeps what has a backslash before it: %s', (body, args, expected) => {
    expect(applyArguments(body, args)).toBe(expected)
  })

  it('[ACT-9] leaves an index empty whose word is missing', () => {
    expect(applyArguments('[$ARGUMENTS[1]] $1', 'a')).toBe('[] a')
    expect(applyArguments('[$ARGUMENTS[99999999999999999999999]] $1', 'a')).toBe('[] a')
  })

  it.each([
    'Costs $99/mo',
    'Costs \\$18.2B',
    'awk "{print $2}"',
    '$5K, $1.50, $1,000',
    '$0 $100 $ARGUMENTS_X $HOME',
    '$$',
  ])('[ACT-9] takes no amount of money and no variable of a shell for a place, and appends the text: %s', (body) => {
    expect(applyArguments(body, 'go')).toBe(`${body}\n\nARGUMENTS: go`)
  })

  it('[ACT-9] appends the text as the last line where the body names none', () => {
    expect(applyArguments('Body.\n', 'a "b c"')).toBe('Body.\n\nARGUMENTS: a "b c"')
    expect(applyArguments('Only \\$1.', 'a')).toBe('Only $1.\n\nARGUMENTS: a')
    expect(applyArguments('', 'a')).toBe('\n\nARGUMENTS: a')
  })

  it('[ACT-9] leaves a body as it is if nothing is passed, but for places of the whole text', () => {
    expect(applyArguments('Run $1, cost \\$2.', undefined)).toBe('Run $1, cost $2.')
    expect(applyArguments('Fix $ARGUMENTS!', undefined)).toBe('Fix !')
    expect(applyArguments('Fix $ARGUMENTS!', '')).toBe('Fix !')
  })

  it('[ACT-9] fills in named arguments, and leaves other words', () => {
    const names = ['ticket', 'branch']
    expect(applyArguments('Fix $ticket on $branch, not $tickets or \\$ticket.', 'T-7 main', { names })).toBe(
      'Fix T-7 on main, not $tickets or $ticket.',
    )
    expect(applyArguments('Fix $ticket.', undefined, { names })).toBe('Fix .')
    expect(applyArguments('Fix $ticket.', 'T-7')).toBe('Fix $ticket.\n\nARGUMENTS: T-7')
  })

  it("[ACT-9] fills in the skill's folder, with arguments and without", () => {
    const body = 'Run ${CLAUDE_SKILL_DIR}/a.sh and {baseDir}/b.sh, not \\{baseDir}.'
    const folder = '/skills/$&'
    const filled = 'Run /skills/$&/a.sh and /skills/$&/b.sh, not {baseDir}.'
    expect(applyArguments(body, undefined, { folder })).toBe(filled)
    expect(applyArguments(body, 'x', { folder })).toBe(`${filled}\n\nARGUMENTS: x`)
  })

  it('[ACT-9] looks at nothing again that it has put in', () => {
    const hostile = fc.stringMatching(/^(?:\$ARGUMENTS|\$[1-9]|\$&|\$\$|\$`|\\|"|'| |a)+$/)
    fc.assert(
      fc.property(hostile, (args) => {
        expect(applyArguments('<$ARGUMENTS>', args)).toBe(`<${args}>`)
        const [first = '$1'] = splitWords(args)
        expect(applyArguments('<$1> $ARGUMENTS', args)).toBe(`<${first}> ${args}`)
      }),
    )
  })

  it('[ACT-9] appends to every body without a dollar sign, and changes nothing else of it', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((body) => !body.includes('$'))
    fc.assert(
      fc.property(text, fc.string({ minLength: 1 }), (body, args) => {
        const applied = applyArguments(body, args)
        expect(applied.startsWith(body)).toBe(true)
        expect(applied.slice(body.length)).toMatch(/^\n{0,2}ARGUMENTS: /)
        expect(applied.endsWith(`ARGUMENTS: ${args}`)).toBe(true)
        expect(applyArguments(body, undefined)).toBe(body)
      }),
    )
  })

  it('[ACT-9] is total: any text comes through any body, and reaches it', () => {
    const body = fc.array(fc.oneof(fc.constantFrom('$ARGUMENTS', '$1', '$2', '\\', '$', '[0]', '7', ' '), fc.string()))
    fc.assert(
      fc.property(body, fc.string({ unit: anyCharacter, minLength: 1 }), (parts, args) => {
        const words = splitWords(args)
        const applied = applyArguments(parts.join(''), args)
        expect([args, ...words].some((word) => applied.includes(word))).toBe(true)
      }),
    )
  })

  it('[ACT-6, ACT-9] fills in a million characters, and leaves a place that would exceed them', () => {
    const half = 'x'.repeat(500_000)
    expect(applyArguments('$ARGUMENTS $ARGUMENTS', half)).toBe(`${half} ${half}`)
    expect(applyArguments('$ARGUMENTS $ARGUMENTS', `${half}x`)).toBe(`${half}x $ARGUMENTS`)
    expect(applyArguments('$1 $2 $3', `${half} ${half} x`)).toBe(`${half} ${half} $3`)
  })

  it('[ACT-9] cannot be made to fill memory', () => {
    const applied = applyArguments('$ARGUMENTS\n'.repeat(100_000), 'x'.repeat(100_000))
    expect(applied.length).toBeLessThan(3_000_000)
    expect(applied.startsWith('xxx')).toBe(true)
    expect(applied.endsWith('$ARGUMENTS\n')).toBe(true)
  })
})

describe('splitWords', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['  a\t b\nc ', ['a', 'b', 'c']],
    ['"a b" c', ['a b', 'c']],
    [`a"b c"d'e f'`, ['ab cde f']],
    [`"it's" 'say "x"'`, [`it's`, 'say "x"']],
    ['"" x', ['', 'x']],
    ['a\\ b "c\\" d" \\"', ['a b', 'c" d', '"']],
    ["don't stop", ["don't", 'stop']],
    ['"never closed a', ['"never', 'closed', 'a']],
    ['C:\\Users\\me $(rm -rf) `x` $HOME *', ['C:\\Users\\me', '$(rm', '-rf)', '`x`', '$HOME', '*']],
    ['\\', ['\\']],
  ])('[ACT-9] groups by quotes and expands nothing: %j', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })

  it('[ACT-9] gives words back that were quoted', () => {
    const quote = (word: string): string => `"${word.replace(/["\\]/g, '\\$&')}"`
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter })), (words) => {
        expect(splitWords(words.map(quote).join(' '))).toEqual(words)
      }),
    )
  })
})
