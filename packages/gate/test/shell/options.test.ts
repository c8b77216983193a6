import { describe, expect, test } from 'vitest'
import { abbreviatesAny, operands, optionLetters, optionValue, subcommandIndexes } from '../../src/shell/options.ts'
import { findUnsafeWord } from '../../src/shell/unsafe-use.ts'

const split = (text: string): readonly string[] => text.split(' ')

describe('options, as most programs read them', () => {
  test.each([
    ['--out', '--output', true],
    ['--output', '--output', true],
    ['--o', '--output', true],
    ['--', '--output', false],
    ['--outputs', '--output', false],
    ['--put', '--output', false],
  ])('[ABUSE-41] %s is short for %s: %s', (given, option, expected) => {
    expect(abbreviatesAny(given, [option])).toBe(expected)
  })

  test.each([
    ['-xzf', '', 'x:zf z:f f:'],
    ['-xCdir', 'C', 'x:Cdir C:dir'],
    ['-C', 'C', 'C:'],
    ['-', '', ''],
    ['--all', '', ''],
    ['xzf', '', ''],
  ])('[ABUSE-41] the letters of %s, of which %j take a value, are %j', (word, valued, expected) => {
    expect(
      optionLetters(word, valued)
        .map(({ letter, rest }) => `${letter}:${rest}`)
        .join(' '),
    ).toBe(expected)
  })

  test.each([
    ['--chdir=a', 'b', { value: 'a', isNext: false }],
    ['--chdir=', 'b', { value: '', isNext: false }],
    ['--chdir', 'b', { value: 'b', isNext: true }],
    ['--chd', 'b', { value: 'b', isNext: true }],
    ['--chdir', undefined, { value: '', isNext: true }],
    ['-C', 'b', { value: 'b', isNext: true }],
    ['-Ca', 'b', { value: 'a', isNext: false }],
    ['-iC', 'b', { value: 'b', isNext: true }],
    ['-uC', 'b', undefined],
    ['--', 'b', undefined],
    ['-', 'b', undefined],
    ['--chdirs', 'b', undefined],
    ['chdir', 'b', undefined],
    ['-c', 'b', undefined],
  ])('[ABUSE-97] %s before %j gives to -C, --chdir: %j', (word, next, expected) => {
    expect(optionValue(word, next, ['-C', '--chdir'], 'u')).toEqual(expected)
  })

  test.each([
    ['cp -r a b', '', 'a b'],
    ['cp - b', '', '- b'],
    ['cp -f 1 a', 'f', 'a'],
    ['cp -f1 a', 'f', 'a'],
    ['cp -xf 1 a', 'f', '1 a'],
    ['cp a -- -b --', '', 'a -b --'],
    ['cp', '', ''],
  ])('[GATE-3, ABUSE-97] of %s, where %j take a value, the operands are %j', (command, valued, expected) => {
    expect(operands(split(command), valued).join(' ')).toBe(expected)
  })

  test.each([
    ['npm run a', [1]],
    ['npm -s run a', [2, 3]],
    ['npm --x=1 run a', [2]],
    ['npm -a b -c d e f', [2, 4, 5]],
    ['npm -s', []],
    ['npm', []],
  ])('[ABUSE-41] the subcommand of %s may be at %j', (command, expected) => {
    expect(subcommandIndexes(split(command))).toEqual(expected)
  })
})

describe('words that make a program run or write something else', () => {
  const found = (command: string, unsafe: Parameters<typeof findUnsafeWord>[1]): string | undefined =>
    findUnsafeWord(split(command), unsafe)

  test.each([
    ['-config', '-config'],
    ['--config', '--config'],
    ['-config=x', '-config=x'],
    ['--config=x y', '--config=x'],
    ['x --config', '--config'],
    ['-conf', undefined],
    ['---config', undefined],
    ['config', undefined],
    ['-xconfig', undefined],
    ['-co', undefined],
  ])('[ABUSE-41] with one dash or two before long names: of %s it is %s', (words, expected) => {
    expect(found(words, { syntax: 'single-dash', options: ['-config'] })).toBe(expected)
  })

  test.each([
    ['--conf=x', '--conf=x'],
    ['--config', '--config'],
    ['-ac', '-ac'],
    ['-vc', undefined],
    ['--color', undefined],
    ['--co', '--co'],
    ['ac', undefined],
    ['-f y', '-f'],
    ['-fy', '-fy'],
    ['-f plain', undefined],
    ['--format=plain', undefined],
    ['--form y', '--form'],
    ['-f', '-f'],
    ['run', 'run'],
    ['x.rb', 'x.rb'],
  ])('[ABUSE-41] with abbreviations and letters together: of %s it is %s', (words, expected) => {
    const unsafe = {
      options: ['--config'],
      harmless: ['--color'],
      letters: 'c',
      valued: 'v',
      choices: [{ options: ['--format', '-f'], values: new Set(['plain']) }],
      words: ['run'],
      shape: /\.rb$/,
    }
    expect(found(words, unsafe)).toBe(expected)
  })

  test.each([
    ['cf x', 'cf'],
    ['x cf', undefined],
    ['-cf', '-cf'],
  ])('[ABUSE-41] with letters without a dash in the first word: of %s it is %s', (words, expected) => {
    expect(found(words, { letters: 'c', bundled: true })).toBe(expected)
  })
})
