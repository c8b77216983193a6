import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { parseOrigin } from '../../src/origins/spec.ts'

const github = { url: 'https://github.com/example/skills.git', source: 'example/skills', sourceType: 'github' }

const read: readonly (readonly [string, unknown])[] = [
  ['./skills', { kind: 'folder', path: './skills' }],
  ['..', { kind: 'folder', path: '..' }],
  ['/srv/my skills', { kind: 'folder', path: '/srv/my skills' }],
  ['~/skills', { kind: 'folder', path: '/home/me/skills' }],
  ['./pdf.zip', { kind: 'archive-file', path: './pdf.zip' }],
  ['/srv/pdf.skill', { kind: 'archive-file', path: '/srv/pdf.skill' }],
  ['example/skills', { kind: 'git', address: github }],
  ['github:example/skills', { kind: 'git', address: github }],
  ['example/skills#v1.0', { kind: 'git', address: { ...github, ref: 'v1.0' } }],
  ['example/skills@pdf', { kind: 'git', address: { ...github, skill: 'pdf' } }],
  ['example/skills/a/b#feature/x', { kind: 'git', address: { ...github, path: 'a/b', ref: 'feature/x' } }],
  ['https://github.com/example/skills', { kind: 'git', address: github }],
  ['https://github.com/example/skills.git#main', { kind: 'git', address: { ...github, ref: 'main' } }],
  [
    'https://github.com/example/skills/tree/feature/x/pdf',
    { kind: 'git', address: { ...github, refAndPath: ['feature', 'x', 'pdf'] } },
  ],
  [
    'https://gitlab.com/group/sub/skills/-/tree/main/pdf',
    {
      kind: 'git',
      address: {
        url: 'https://gitlab.com/group/sub/skills.git',
        source: 'group/sub/skills',
        sourceType: 'gitlab',
        refAndPath: ['main', 'pdf'],
      },
    },
  ],
  [
    'https://git.example.com/team/skills.git//pdf#main',
    {
      kind: 'git',
      address: {
        url: 'https://git.example.com/team/skills.git',
        source: 'https://git.example.com/team/skills.git',
        sourceType: 'git',
        ref: 'main',
        path: 'pdf',
      },
    },
  ],
  [
    'git@git.example.com:team/skills.git#main',
    {
      kind: 'git',
      address: {
        url: 'ssh://git@git.example.com/team/skills.git',
        source: 'ssh://git@git.example.com/team/skills.git',
        sourceType: 'git',
        ref: 'main',
      },
    },
  ],
  ['npm:pdf-skills', { kind: 'npm', name: 'pdf-skills' }],
  ['npm:@example/skills@^1.2.0', { kind: 'npm', name: '@example/skills', range: '^1.2.0' }],
]

describe('what says where skills come from', () => {
  it('[LIB-5] reads paths, repositories, packages and addresses', () => {
    for (const [text, spec] of read) expect(parseOrigin(text, '/home/me'), text).toEqual(spec)
    const kinds = {
      'https://example.com/pdf.tar.gz': 'archive-url',
      'https://github.com/example/skills/archive/refs/heads/main.zip': 'archive-url',
      'https://example.com/pdf/SKILL.md': 'document',
      'https://example.com': 'site',
    }
    for (const [text, kind] of Object.entries(kinds)) expect(parseOrigin(text).kind, text).toBe(kind)
  })

  it('[ABUSE-68] refuses every way that runs a program or reads this machine', () => {
    for (const text of [
      'ext::sh -c touch% /tmp/x',
      'EXT::sh',
      'file:///etc',
      'FILE:/etc',
      'git://example.com/x.git',
      'ftp://example.com/x.git',
      '--upload-pack=touch',
      '-x',
      'fd::17',
      'npm:x@file:../y',
      'npm:x@git+ssh://git@example.com/x',
      'npm:x@https://example.com/x.tgz',
      'npm:x@npm:y',
      'npm:../x',
    ]) {
      expect(() => parseOrigin(text), text).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID' }))
    }
  })

  it('[ABUSE-69] refuses refs that git reads as options, ranges or expressions', () => {
    for (const ref of [
      '--upload-pack=x',
      '-b',
      'a..b',
      'a b',
      'main^{}',
      'HEAD@{1}',
      'a:b',
      '*',
      'x.lock',
      '/x',
      'x/',
    ]) {
      expect(() => parseOrigin(`example/skills#${ref}`), ref).toThrow(
        expect.objectContaining({ code: 'ORIGIN_INVALID' }),
      )
    }
  })

  it('[LIB-5] repeats no password of an address', () => {
    for (const text of ['https://me:secret@example.com/x.git', 'git+https://me:secret@example.com/x']) {
      expect(() => parseOrigin(text)).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID' }))
      expect(() => parseOrigin(text)).not.toThrow(/secret/)
    }
  })

  it('[ABUSE-68] whatever the text, it is read as one of the known kinds or refused', () => {
    const parts = fc.constantFrom(
      'ext::',
      'git@',
      'npm:',
      '../',
      '//',
      '#',
      '-',
      'a',
      '.git',
      'https://',
      ':',
      '@',
      '\0',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string({ maxLength: 4 })), { maxLength: 8 }), (texts) => {
        const text = texts.join('')
        try {
          const spec = parseOrigin(text)
          if (spec.kind !== 'git') return
          expect(spec.address.url).toMatch(/^(?:https?|ssh|file):\/\//)
          expect(spec.address.ref ?? 'x').toMatch(/^\w/)
          expect(`/${spec.address.path ?? 'x'}/`).not.toContain('/../')
        } catch (error) {
          expect(error).toMatchObject({ code: 'ORIGIN_INVALID' })
        }
      }),
    )
  })
})
