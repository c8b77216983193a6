import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCommandLine } from '../../src/shell/command-line.ts'
import type { SimpleCommand } from '../../src/shell/simple-command.ts'
import { runs } from '@repertoire/test-servers/properties'

const read = (text: string): SimpleCommand => readCommandLine(text).simpleCommand

describe('reading a command', () => {
  test.each([
    ['git log -1', ['git', 'log', '-1']],
    ['  git \t log ', ['git', 'log']],
    [`git commit -m "it's" 'a "b"' c\\ d`, ['git', 'commit', '-m', "it's", 'a "b"', 'c d']],
    ['git log ""', ['git', 'log', '']],
    ['git log --format="%h %s"', ['git', 'log', '--format=%h %s']],
    ["git commit -m 'first\n\nsecond'", ['git', 'commit', '-m', 'first\n\nsecond']],
    ['git commit -m "fix!"', ['git', 'commit', '-m', 'fix!']],
    ['git commit -m "fix! it" a', ['git', 'commit', '-m', 'fix! it', 'a']],
    ["git log '$HOME' '*' '~' '{a,b}' '!x'", ['git', 'log', '$HOME', '*', '~', '{a,b}', '!x']],
    ['git log "\\$HOME" "\\`id\\`" \\*', ['git', 'log', '$HOME', '`id`', '*']],
    ['git show HEAD~1 HEAD^', ['git', 'show', 'HEAD~1', 'HEAD^']],
    ['git log a#b a=b a,b', ['git', 'log', 'a#b', 'a=b', 'a,b']],
    ['find . -name x -exec wc {} +', ['find', '.', '-name', 'x', '-exec', 'wc', '{}', '+']],
    ['git add résumé.md 😀', ['git', 'add', 'résumé.md', '😀']],
    ['git log "a\u00a0b"', ['git', 'log', 'a\u00a0b']],
    ['./scripts/run.sh a', ['./scripts/run.sh', 'a']],
    ['git log if then done', ['git', 'log', 'if', 'then', 'done']],
  ])('[GATE-3] reads %j as %j', (source, words) => {
    expect(read(source)).toEqual({ words })
  })

  test.each([
    ['git log; id', /compound/],
    ['git log;', /separator/],
    ['git log && id', /compound/],
    ['git log || id', /compound/],
    ['git log | id', /compound/],
    ['git log |& id', /compound/],
    ['git log & id', /compound/],
    ['git log &', /background/],
    ['git log\nid', /compound/],
    ['git log\n', /line break/],
    ['\ngit log', /line break/],
    ['git log \\\n -1', /continuation|line break/],
    ['git log "a\\\nb"', /continuation/],
    ['git log $(id)', /expansion/],
    ['git log "$(id)"', /expansion/],
    ['git log `id`', /expansion/],
    ['git log "`id`"', /expansion/],
    ['git log <(id)', /expansion|compound/],
    ['git log >(id)', /expansion|compound/],
    ['git log > x', /redirects/],
    ['git log >> x', /redirects/],
    ['git log 2>&1', /redirects/],
    ['git log &> x', /redirects/],
    ['git log < x', /redirects/],
    ['git log <<< x', /redirects/],
    ['git log <<EOF\n$(id)\nEOF', /redirects|line break/],
    ['git log {fd}> x', /redirects/],
    ['(git log)', /not a simple command/],
    ['{ git log; }', /not a simple command/],
    ['if git; then id; fi', /not a simple command/],
    ['for x in a; do git; done', /not a simple command/],
    ['git() { id; }', /not a simple command/],
    ['! git log', /compound/],
    ['git log # comment', /comment/],
    ['#!/bin/sh', /no command/],
  ])('[ABUSE-36] refuses %j', (source, why) => {
    expect(read(source)).toEqual({ problem: expect.stringMatching(why) })
  })

  test.each([
    ['[[ -v a[$(x)] ]]', /not a simple command/],
    ['[[ a -eq 1 ]]', /not a simple command/],
    ['(( a[$(x)] ))', /not a simple command/],
    ['coproc git', /not a simple command/],
    ['time git', /compound/],
    ['declare a=b', /sets a variable/],
    ['export A=b', /sets a variable/],
    ['declare a=(b)', /sets a variable/],
    ['a=b', /sets a variable/],
    ['git ${x@P}', /expansion/],
    ['git "${x@P}"', /expansion/],
    ['git $x', /expansion/],
    ['git "$x"', /expansion/],
    ['git a$', /expansion/],
    ['git "a$"', /expansion/],
    ['git $((1))', /expansion/],
    ['git $[1]', /expansion/],
    ["git $'a'", /expansion/],
    ['git $"a"', /expansion/],
    ['git !x', /single quotes/],
    ['git "!x"', /single quotes/],
    ['git "\\!x"', /single quotes/],
    ["git 'a\n!x'", /line after the first/],
    ["git 'a\n^b^c'", /line after the first/],
    ['git =x', /begins with "="/],
    ['git ~', /"~"/],
    ['git ~root/x', /"~"/],
    ['git a=~', /"~"/],
    ['git a=b:~', /"~"/],
  ])('[ABUSE-37] refuses %j', (source, why) => {
    expect(read(source)).toEqual({ problem: expect.stringMatching(why) })
  })

  test.each([
    ['GIT_PAGER=id git log', /sets a variable/],
    ['LD_PRELOAD=/x git log', /sets a variable/],
    ['A=b', /sets a variable/],
    ['A+=b git', /sets a variable/],
    ['a[1]=b git', /sets a variable/],
  ])('[ABUSE-38] refuses %j', (source, why) => {
    expect(read(source)).toEqual({ problem: expect.stringMatching(why) })
  })

  test.each([
    'git *',
    'git a*b',
    'git ?',
    'git [a-z]',
    'git [',
    'git a[1]',
    'git @(a|b)',
    'git !(a)',
    'git +(a)',
    'git {a,b}',
    'git {a..b}',
    'git a{,b}',
    'git HEAD@{1}',
    'git }',
  ])('[ABUSE-42] refuses %j, whose words depend on the files that are there', (source) => {
    expect(read(source)).toHaveProperty('problem')
  })

  test.each(["'git' log", '"git" log', 'g\\it log', '\\git log', "g''it log", '-git log', 'gít log'])(
    '[ABUSE-35] refuses %j, which does not write its program in plain letters',
    (source) => {
      expect(read(source)).toEqual({ problem: expect.stringMatching(/plain letters/) })
    },
  )

  test.each([
    ['git\u00a0log', /unseen/],
    ['git log\u00a0-1', /unseen/],
    ['git\u3000log', /unseen/],
    ['git log\u200b', /unseen/],
    ['git log\ufeff', /unseen/],
    ['git log\u2028id', /unseen/],
    ['git\u0085log', /control/],
    ['git log\rid', /control/],
    ['git log \u0000', /control/],
    ['git log "\u001b[2J"', /control/],
    ['git log \ud800', /control/],
  ])('[ABUSE-35, ABUSE-36] refuses %j, which only looks like blanks and letters', (source, why) => {
    expect(read(source)).toEqual({ problem: expect.stringMatching(why) })
  })

  test.each([
    [Array.from({ length: 51 }, () => 'git status').join(' && '), /compound/],
    [`git ${'a'.repeat(9_997)}`, /longer than 10,000/],
    ['git "a', /cannot be read/],
    ["git 'a", /cannot be read/],
    ['git a\\', /backslash/],
    ['git (', /separator/],
    ['git )', /cannot be read/],
    ['git $(', /cannot be read/],
    ['if git', /cannot be read/],
    ['git a=(b)', /cannot be read/],
    ['done', /cannot be read/],
    ['', /empty/],
    ['  \t ', /empty/],
  ])('[ABUSE-43] refuses %j', (source, why) => {
    expect(read(source)).toEqual({ problem: expect.stringMatching(why) })
  })

  test('[ABUSE-43] reads a command of exactly 10,000 characters', () => {
    expect(read(`git ${'a'.repeat(9_996)}`)).toEqual({ words: ['git', 'a'.repeat(9_996)] })
  })

  test.each(['$(', '"$(', '`', '{', '(', '${a', '[[ ', '<<a\n', '<(', '!(', 'a=('])(
    '[ABUSE-43] ends on 10,000 characters of %j',
    (fragment) => {
      expect(read(`git ${fragment.repeat(5_000)}`.slice(0, 10_000))).toHaveProperty('problem')
    },
  )

  test('[GATE-3, ABUSE-36] reads no command that holds a special character outside quotes', () => {
    const special = fc.constantFrom(...Array.from(';|&<>()$`*?[]{}!\n'))
    const plain = fc
      .array(fc.constantFrom('a', '-b', '/', '.', '=', ' ', "'q'", '"q"', '\\q'), { maxLength: 6 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(plain, special, plain, (before, character, after) => {
        // A "]" alone is a word like any other.
        if (character !== ']')
          expect(read(`git ${before}${character}${after}`.replace('git {}', 'git {'))).toHaveProperty('problem')
      }),
      { numRuns: runs(1_000) },
    )
  })

  test('[GATE-3] gives an answer for any text whatever', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 0x10ffff }), { maxLength: 60 }), (points) => {
        const text = String.fromCodePoint(...points)
        const reading = read(text)
        expect('words' in reading ? reading.words.length > 0 : reading.problem !== '').toBe(true)
      }),
      { numRuns: runs(1_000) },
    )
  })
})
