import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathsInside } from '../src/paths/inside.ts'

const FOLDER = '/home/u/.agents/skills/@kit/pdf'

describe('pathsInside', () => {
  it.each([
    `${FOLDER}/scripts/a.sh`,
    `/${FOLDER}//scripts/./a.sh`,
    `${FOLDER}/x/../scripts/a.sh`,
    `${FOLDER}/../pdf/scripts/a.sh`,
    `  ${FOLDER}/scripts/a.sh `,
    `${FOLDER.toUpperCase()}/scripts/a.sh`,
    '../.agents/skills/@kit/pdf/scripts/a.sh',
    'x:y/../../.agents/skills/@kit/pdf/scripts/a.sh',
    '~/.agents/skills/@kit/pdf/scripts/a.sh',
    '~u/.agents/skills/@kit/pdf/scripts/a.sh',
    '$HOME/.agents/skills/@kit/pdf/scripts/a.sh',
    '${HOME}/.agents/skills/@kit/pdf/scripts/a.sh',
    `file://${FOLDER}/scripts/a.sh`,
    `FILE://localhost${FOLDER}/scripts/a.sh?x#y`,
    `file:${FOLDER.replace('@', '%40')}/scripts/%61.sh`,
  ])('[GATE-4] finds the file that %j names', (path) => {
    expect(pathsInside(path, FOLDER, '/home/u/project')).toContain('scripts/a.sh')
  })

  it.each([
    '/home/u/.agents/skills/@kit/pdf-evil/scripts/a.sh',
    '/home/u/.agents/skills/@kit',
    FOLDER,
    `${FOLDER}/`,
    '../other/scripts/a.sh',
    'file:///home/u/%zz/scripts/a.sh',
    '',
    '/',
  ])('[GATE-4] finds none in %j', (path) => {
    expect(pathsInside(path, FOLDER, '/home/u/project')).toEqual([])
  })

  it('[GATE-4] takes a relative path against every folder above where the working folder is unknown', () => {
    for (const path of [
      '@kit/pdf/a',
      'skills/@kit/pdf/a',
      '.agents/skills/@kit/pdf/a',
      'home/u/.agents/skills/@kit/pdf/a',
    ]) {
      expect(pathsInside(path, FOLDER, undefined)).toContain('a')
    }
    expect(pathsInside('skills/@kit/pdf/a', FOLDER, '/home/u/project')).not.toContain('a')
  })

  it.each([
    'C:\\skills\\pdf\\scripts\\a.sh',
    'c:/Skills/PDF/scripts/a.sh',
    '..\\skills\\pdf\\scripts\\a.sh',
    'file:///C:/skills/pdf/scripts/a.sh',
    'C:\\skills\\pdf \\scripts\\a.sh',
    'C:\\skills\\pdf\\scripts\\a.sh::$DATA',
  ])('[GATE-4] reads %j as Windows does, for a folder on a drive', (path) => {
    expect(pathsInside(path, 'C:\\skills\\pdf', 'C:\\work')).toContain('scripts/a.sh')
  })

  it('[GATE-4] takes a location that is a URI for a folder too', () => {
    expect(pathsInside('memory:m/s/x/../a', 'memory:m/s', '/project')).toContain('a')
    expect(pathsInside('memory:m/s2/a', 'memory:m/s', '/project')).toEqual([])
  })

  it('[GATE-4] never tells a path that climbs, whatever the text', () => {
    const part = fc.constantFrom('..', '.', '', 'home', 'u', '.agents', 'skills', '@kit', 'pdf', '~', 'C:', 'a', '...')
    fc.assert(
      fc.property(fc.array(part), fc.boolean(), (parts, known) => {
        for (const inside of pathsInside(parts.join('/'), FOLDER, known ? '/home/u' : undefined)) {
          expect(inside.split('/').some((each) => each === '..' || each === '.' || each === '')).toBe(false)
        }
      }),
    )
  })

  it('[GATE-4] reads a megabyte of dots', () => {
    expect(pathsInside(`${FOLDER}/${'.'.repeat(1_000_000)}x`, FOLDER, undefined)).toHaveLength(1)
  })
})
