import { describe, expect, it } from 'vitest'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { originText, resolveOrigin } from '@repertoire/library'
import { parseOrigin } from '../../src/origins/spec.ts'

/** Every kind of origin. */
const KINDS = ['folder', 'archive-file', 'archive-url', 'document', 'site', 'npm', 'git']

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
    'https://github.com/example/skills/tree/main/a/pdf',
    { kind: 'git', address: { ...github, ref: 'main', path: 'a/pdf' } },
  ],
  [
    'https://gitlab.com/group/sub/skills/-/tree/main/pdf',
    {
      kind: 'git',
      address: {
        url: 'https://gitlab.com/group/sub/skills.git',
        source: 'group/sub/skills',
        sourceType: 'gitlab',
        ref: 'main',
        path: 'pdf',
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
  ...['https://', 'https://acme@', 'git+https://'].map(
    (start) =>
      [
        `${start}dev.azure.com/acme/tools/_git/skills`,
        {
          kind: 'git',
          address: {
            url: 'https://dev.azure.com/acme/tools/_git/skills',
            source: 'https://dev.azure.com/acme/tools/_git/skills',
            sourceType: 'git',
          },
        },
      ] as const,
  ),
  ...(
    [
      [
        'https://dev.azure.com/acme/_git/skills',
        '?path=/skills/pdf&version=GBmain',
        { ref: 'main', path: 'skills/pdf' },
      ],
      ['https://bitbucket.org/acme/skills', '/src/main/pdf', { ref: 'main', path: 'pdf' }],
      ['https://codeberg.org/acme/skills', '/src/branch/main/pdf', { ref: 'main', path: 'pdf' }],
    ] as const
  ).map(
    ([url, page, wanted]) =>
      [url + page, { kind: 'git', address: { url, source: url, sourceType: 'git', ...wanted } }] as const,
  ),
  [
    'https://www.github.com/acme/skills',
    {
      kind: 'git',
      address: { url: 'https://github.com/acme/skills.git', source: 'acme/skills', sourceType: 'github' },
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
  it.each([undefined, null, 5, ['./skills'], { path: './skills' }])(
    '[LIB-5] says that %j is not a text',
    async (origin) => {
      const error = { name: 'TypeError', message: expect.stringContaining('resolveOrigin: `text`') as string }
      await expect(resolveOrigin(origin as never)).rejects.toMatchObject(error)
    },
  )

  it('[LIB-5] reads paths, repositories, packages and addresses', () => {
    for (const [text, spec] of read) expect([text, parseOrigin(text, '/home/me')]).toEqual([text, spec])
    const kinds = {
      'https://example.com/pdf.tar.gz': 'archive-url',
      'https://github.com/example/skills/archive/refs/heads/main.zip': 'archive-url',
      'https://example.com/pdf/SKILL.md': 'document',
      'https://example.com': 'site',
    }
    for (const [text, kind] of Object.entries(kinds)) expect([text, parseOrigin(text).kind]).toEqual([text, kind])
  })

  it('[LIB-5, LIB-9] finds the way back from what a lock says', () => {
    const addresses = [
      'example/skills',
      'example/skills#v1.0',
      'https://gitlab.com/group/sub/skills#main',
      'https://git.example.com/team/skills.git#main',
      'git+https://git.example.com/team/skills',
      'git@git.example.com:team/skills.git#feature/x',
      'git+file:///srv/skills.git',
    ]
    for (const text of addresses) {
      const spec = parseOrigin(text)
      if (spec.kind !== 'git') throw new Error(text)
      const { url: sourceUrl, path: _path, ...origin } = spec.address
      expect(parseOrigin(originText({ ...origin, sourceUrl }))).toEqual(spec)
      const inside = parseOrigin(originText({ ...origin, sourceUrl, skillPath: 'a/b/SKILL.md' }))
      expect(inside).toEqual({ kind: 'git', address: { ...spec.address, path: 'a/b' } })
    }
    const others = {
      'npm:@example/skills@^1.2.0': { source: '@example/skills', sourceType: 'npm', ref: '^1.2.0' },
      './skills': { source: './skills', sourceType: 'local' },
      './pdf.zip': { source: './pdf.zip', sourceType: 'archive' },
      'https://example.com/pdf/SKILL.md': { source: 'https://example.com/pdf/SKILL.md', sourceType: 'url' },
    }
    for (const [text, locked] of Object.entries(others)) expect(originText(locked)).toBe(text)
    expect(() => originText({ source: 'x', sourceType: 'unheard-of' })).toThrow(/not known/)
  })

  it('[LIB-5] names the whole address for the short form of another forge', () => {
    for (const [text, address] of [
      ['gitlab:owner/repo', 'https://gitlab.com/owner/repo'],
      ['bitbucket:owner/repo', 'https://bitbucket.org/owner/repo'],
      ['codeberg:owner/repo', 'https://codeberg.org/owner/repo'],
    ]) {
      const message = expect.stringContaining(`Write ${address}.`) as string
      expect(() => parseOrigin(text!)).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID', message }))
    }
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
      'npm:../x',
    ]) {
      expect(() => parseOrigin(text)).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID' }))
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
      expect(() => parseOrigin(`example/skills#${ref}`)).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID' }))
    }
  })

  it('[LIB-5] repeats no password of an address', () => {
    for (const text of ['https://me:secret@example.com/x.git', 'git+https://me:secret@example.com/x']) {
      expect(() => parseOrigin(text)).toThrow(expect.objectContaining({ code: 'ORIGIN_INVALID' }))
      expect(() => parseOrigin(text)).not.toThrow(/secret/)
    }
  })

  it('[ABUSE-68] whatever the text, it is read as one of the known kinds or refused', () => {
    const parts = constantFrom(
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
    const beginnings = constantFrom('', 'owner/repo', 'https://a.example/b.git', 'git@a.example:b')
    let repositories = 0
    assert(
      property(beginnings, array(oneof(parts, string({ maxLength: 4 })), { maxLength: 8 }), (beginning, texts) => {
        const text = beginning + texts.join('')
        try {
          const spec = parseOrigin(text)
          expect(KINDS).toContain(spec.kind)
          if (spec.kind !== 'git') return
          repositories++
          expect(spec.address.url).toMatch(/^(?:https?|ssh|file):\/\//)
          expect(spec.address.ref ?? 'x').toMatch(/^\w/)
          expect(`/${spec.address.path ?? 'x'}/`).not.toContain('/../')
        } catch (error) {
          expect(error).toMatchObject({ code: 'ORIGIN_INVALID' })
        }
      }),
    )
    expect(repositories).toBeGreaterThan(0)
  })
})
