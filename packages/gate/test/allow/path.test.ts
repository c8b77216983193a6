import { posix } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowPath } from '../../src/paths/allow-path.ts'
import { runs } from '@repertoire/test-servers/properties'

function covers(pattern: string, value: string, cwd?: string): boolean {
  return allowPath(value, cwd).matches(pattern)
}

describe('allowPath', () => {
  test.each([
    ['docs/**', 'docs/a/b.md', '/p'],
    ['docs/**', './docs//a/./b.md', '/p'],
    ['docs/**', 'docs/x/../a.md', '/p'],
    ['docs/**', '/p/docs/a.md', '/p'],
    ['docs/**', '/p//docs/x/../a.md', '/p/'],
    ['docs/**', 'docs/a.md', undefined],
    ['./docs/*.md', 'docs/a.md', '/p'],
    ['/p/docs/**', 'docs/a.md', '/p'],
    ['/p/docs/**', '/p/docs/a.md', undefined],
    ['/**', '/etc/passwd', '/p'],
    ['docs/*', '/p[1]*/docs/a', '/p[1]*'],
    ['x/../docs/**', 'docs/a', '/p'],
    ['app/**', 'app/[slug]/page.tsx', '/p'],
    ['app/**', 'app/[...slug]/(group)/{id}.tsx', '/p'],
    ['src/**', 'src/**/*.{ts,tsx}', '/p'],
    ['**', 'résumé – 技能.md', '/p'],
    ['**', 'a b.md', '/p'],
    ['**', '100%.txt', '/p'],
  ])('[GATE-3] %s covers %s in %s', (pattern, path, cwd) => {
    expect(covers(pattern, path, cwd)).toBe(true)
  })

  test.each([
    // The same beginning, another folder.
    ['docs/**', 'docs-evil/x', '/p'],
    ['docs/**', 'docs', '/p'],
    ['docs/**', 'Docs/a.md', '/p'],
    ['docs/**', '/q/docs/a.md', '/p'],
    ['docs/**', '/p-evil/docs/a.md', '/p'],
    ['docs/*', '/pxx/docs/a', '/p*'],
    // Steps out.
    ['docs/**', 'docs/../secret', '/p'],
    ['docs/**', '../docs/a', '/p'],
    ['docs/**', '../p/docs/a', '/p'],
    ['**', 'docs/../../x', '/p'],
    ['**', '..', '/p'],
    ['/**', '/../etc/passwd', '/p'],
    ['/**', '../etc/passwd', '/p'],
    ['../**', '../x', '/p'],
    // One relative, one absolute, and no folder to tell.
    ['docs/**', '/p/docs/a.md', undefined],
    ['/p/docs/**', 'docs/a.md', undefined],
    ['/p/docs/**', 'docs/a.md', 'p'],
    // Read differently by whatever opens the file.
    ['**', '~/.ssh/id_rsa', '/p'],
    ['**', 'a/~root', '/p'],
    ['**', '%2e%2e/x', '/p'],
    ['**', '%2fetc', '/p'],
    ['**', '..\\x', '/p'],
    ['**', 'a\\b', '/p'],
    ['**', 'a\u0000.md', '/p'],
    ['**', 'a\n.md', '/p'],
    ['**', 'a\ud800', '/p'],
    ['**', ' /etc/passwd', '/p'],
    ['**', 'a.md ', '/p'],
    ['**', '\u00a0/etc/passwd', '/p'],
    ['**', '$HOME/x', '/p'],
    ['**', '${HOME}/x', '/p'],
    ['**', 'file:///etc/passwd', '/p'],
    ['**', 'FILE:/etc/passwd', '/p'],
    ['**', 'C:/Windows', '/p'],
    ['**', 'C:\\Windows', '/p'],
    ['**', '', '/p'],
    ['**', 'a'.repeat(4_097), '/p'],
    // Patterns that a tool expands, and that lead out.
    ['docs/**', 'docs/{a,../../etc}/x', '/p'],
    ['docs/**', 'docs/{.,x}./y', '/p'],
    ['docs/**', 'docs/.{,x}./y', '/p'],
    ['docs/**', 'docs/{a,{.,b}.}/y', '/p'],
    ['docs/**', 'docs/[.][.]/y', '/p'],
    ['docs/**', 'docs/@(.).//y', '/p'],
    ['docs/**', 'docs/**/../../etc/passwd', '/p'],
    ['docs/**', 'docs/**/../x', '/p'],
    ['docs/**', 'docs/.*/.*/etc', '/p'],
    ['docs/**', 'docs/.?/etc', '/p'],
    ['docs/**', '{docs/a,/etc}/x', '/p'],
    // Patterns that mean nothing.
    ['', 'a', '/p'],
    ['~/**', '~/a', '/p'],
    [`${'a/'.repeat(500)}**`, `${'a/'.repeat(500)}b`, '/p'],
  ] as [string, string, string | undefined][])('[GATE-3] %s does not cover %j in %s', (pattern, path, cwd) => {
    // "docs/../**" is the working folder itself, by its text: the one pattern here that means something.
    expect(covers(pattern, path, cwd)).toBe(pattern === 'docs/../**')
  })

  test.each([
    ['docs/**', 'docs\\a.md', true],
    ['docs/**', 'docs\\..\\a.md', false],
    ['docs/**', 'C:\\proj\\docs\\a.md', true],
    ['docs/**', 'c:/proj/docs/a.md', true],
    ['docs/**', 'D:\\proj\\docs\\a.md', false],
    ['C:/proj/docs/**', 'docs/a.md', true],
    ['**', 'C:evil', false],
    ['**', '\\\\server\\share', false],
    ['**', '\\evil', false],
    ['**', '/evil', false],
    ['**', 'a.md::$DATA', false],
    ['**', 'a.md.', false],
    ['**', 'dir. \\a', false],
    ['**', 'PROGRA~1\\a', false],
  ])('[GATE-3] with a working folder on a Windows drive, %s against %s: %s', (pattern, path, expected) => {
    expect(covers(pattern, path, 'C:\\proj')).toBe(expected)
  })

  test('[GATE-3] never lets any path out of the folder of a "folder/**" pattern', () => {
    const part = fc.constantFrom('docs', 'docs-evil', '..', '.', '', 'a', '...', '.. ', '..a')
    const path = fc
      .tuple(fc.boolean(), fc.array(part, { maxLength: 7 }))
      .map(([absolute, all]) => (absolute ? '/' : '') + all.join('/'))
    fc.assert(
      fc.property(path, (text) => {
        if (covers('docs/**', text, '/p')) expect(posix.resolve('/p', text)).toMatch(/^\/p\/docs\/./)
      }),
      { numRuns: runs(3_000) },
    )
  })
})
