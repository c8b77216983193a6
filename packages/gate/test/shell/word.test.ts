import { describe, expect, test } from 'vitest'
import { literalWord } from '../../src/shell/word.ts'

/** The second reader of each word, by itself: it may not lean on what the parser has refused already. */

describe('literalWord', () => {
  test.each([
    ['a', 'a'],
    [`'a b'`, 'a b'],
    [`"a b"`, 'a b'],
    [`a'b'"c"d`, 'abcd'],
    [`''`, ''],
    [`""`, ''],
    [`a''`, 'a'],
    [String.raw`a\ b`, 'a b'],
    [String.raw`\\`, '\\'],
    [String.raw`\🙂`, '🙂'],
    [String.raw`"\$\"\\\`"`, '$"\\`'],
    [String.raw`"\a\'"`, String.raw`\a\'`],
    [`"a!"`, 'a!'],
    [`"a! b"`, 'a! b'],
    [`"a!=b"`, 'a!=b'],
    [`"a!\nb"`, 'a!\nb'],
    [`'!$\`*'`, '!$`*'],
    ['{}', '{}'],
    ['a#', 'a#'],
    ['a=b', 'a=b'],
    ['a~', 'a~'],
    ['a+b@c%d,e-f_g:h.i/j', 'a+b@c%d,e-f_g:h.i/j'],
  ])('[GATE-3] %s is %j', (raw, value) => {
    expect(literalWord(raw)).toEqual({ value })
  })

  test.each([
    [`'a`, 'has an unclosed quote or a backslash at its end'],
    [`a'`, 'has an unclosed quote or a backslash at its end'],
    [`'`, 'has an unclosed quote or a backslash at its end'],
    [`"a`, 'has an unclosed quote or a backslash at its end'],
    [`"`, 'has an unclosed quote or a backslash at its end'],
    [`"a!`, 'has an unclosed quote or a backslash at its end'],
    [`"a\\`, 'has an unclosed quote or a backslash at its end'],
    [`a\\`, 'has an unclosed quote or a backslash at its end'],
    [`a\\\n`, 'holds a line continuation'],
    [`"a\\\n"`, 'holds a line continuation'],
    ['#a', 'holds a comment'],
    ['=a', 'has a word that begins with "="'],
    ['~', 'holds a "~" that a shell expands'],
    ['a=~b', 'holds a "~" that a shell expands'],
    ['a:~b', 'holds a "~" that a shell expands'],
    ['$a', 'holds an expansion ("$" or a backtick)'],
    ['"a$"', 'holds an expansion ("$" or a backtick)'],
    ['"`"', 'holds an expansion ("$" or a backtick)'],
    ['a*', 'holds a file pattern outside quotes'],
    ['a?', 'holds a file pattern outside quotes'],
    ['[a', 'holds a file pattern outside quotes'],
    ['{a', 'holds braces outside quotes'],
    ['a}', 'holds braces outside quotes'],
    ['a!', 'holds "!" outside single quotes'],
    ['"a!b"', 'holds "!" outside single quotes'],
    [String.raw`"a\!"`, 'holds "!" outside single quotes'],
    ['a;', 'is a compound command, or redirects'],
    ['a&', 'is a compound command, or redirects'],
    ['a|', 'is a compound command, or redirects'],
    ['<a', 'is a compound command, or redirects'],
    ['>a', 'is a compound command, or redirects'],
    ['(a', 'is a compound command, or redirects'],
    ['a)', 'is a compound command, or redirects'],
    ['a\u00a0', 'holds a blank or an unseen character outside quotes'],
    ['a\u200b', 'holds a blank or an unseen character outside quotes'],
    ['a b', 'holds a blank or an unseen character outside quotes'],
    ['a\nb', 'holds a blank or an unseen character outside quotes'],
  ])('[GATE-3, ABUSE-36] %j is not a literal word: it %s', (raw, problem) => {
    expect(literalWord(raw)).toEqual({ problem })
  })
})
