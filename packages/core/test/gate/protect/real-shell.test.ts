import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, shell } from './protected-session.ts'

describe('commands that a real shell runs', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'protected-')))
  afterAll(() => rmSync(base, { recursive: true, force: true }))
  const home = join(base, 'home')
  const cwd = join(base, 'one/two/three/app')
  const files = ['policy/rules.json', '.repertoire/config.json'].map((file) => join(cwd, file))

  const archive = join(base, 'a.tar')
  beforeAll(() => {
    mkdirSync(join(base, 'packed'))
    for (const file of files) writeFileSync(join(base, 'packed', basename(file)), 'unpacked')
    spawnSync('tar', ['cf', archive, ...files.map((file) => basename(file))], { cwd: join(base, 'packed') })
    expect(existsSync(archive)).toBe(true)
  })

  const fresh = (): void => {
    rmSync(join(base, 'one'), { recursive: true, force: true })
    for (const file of [
      ...files,
      ...['evil/policy', 'evil/.repertoire', 'sub', 'dist'].map((dir) => join(cwd, dir, 'x')),
    ]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'kept')
    }
    mkdirSync(home, { recursive: true })
  }
  const kept = (): boolean => files.every((file) => existsSync(file) && readFileSync(file, 'utf8') === 'kept')

  const folder = fc.constantFrom(
    'policy',
    '.repertoire',
    'sub',
    'dist',
    'evil',
    'nowhere',
    'app',
    '.',
    './policy',
    'sub/..',
  )
  const path = fc.oneof(
    folder,
    folder.map((name) => `../${name}`),
    fc.constantFrom(
      '*',
      './*',
      '.r*',
      'p*/',
      '{policy,dist}',
      '{policy}',
      '{,.}re{pertoire,x}',
      '?policy',
      '[p]olicy',
      '{a..p}olicy',
      '"$PWD"',
      '"$PWD/policy"',
      "'pol'icy",
      'evil/policy',
      'evil/*',
    ),
  )
  const deed = fc.oneof(
    path.map((at) => `rm -rf ${at}`),
    fc.tuple(path, path).map(([from, to]) => `mv ${from} ${to}`),
    path.map((at) => `find ${at} -type f -delete`),
    path.map((at) => `find ${at} -type f -exec truncate -s 0 {} +`),
    fc.tuple(path, path).map(([from, to]) => `cp -rT ${from} ${to}`),
    path.map((at) => `tar xf ${archive} -C ${at}`),
    fc.tuple(path, fc.constantFrom('"*.json"', 'policy', 'x')).map(([at, name]) => `find ${at} -name ${name} -delete`),
    path.map((at) => `find ${at} -delete -name x`),
    path.map((at) => `find ${at} \\( -name x -o -name '*.json' \\) -delete`),
    path.map((at) => `find ${at} -name policy -prune -o -type f -exec rm {} +`),
    path.map((at) => `find ${at} -name policy -exec rm -rf {} +`),
    path.map((at) => `bash -c "rm -rf ${at.replaceAll('"', '')}"`),
    path.map((at) => `echo $(rm -rf ${at})`),
    path.map((at) => `for i in 1 2; do rm -rf ${at}; cd ..; done`),
    path.map((at) => `env -C sub rm -rf ${at}`),
    path.map((at) => `r\\\nm -rf "$(pwd)"/${at}`),
  )
  // What a link made before leads to is not seen, so it comes last.
  const last = fc.tuple(path, path).map(([from, to]) => `ln -sfn ${from} ${to}`)
  const change = fc.constantFrom(
    'cd ..',
    'cd sub',
    'cd nowhere',
    'cd policy',
    'cd ./evil/..',
    'true',
    'eval cd ..',
    'builtin cd sub',
    '! cd nowhere',
    'pushd sub && cd .. && popd',
    'f() { cd ..; } && f',
  )
  const line = fc
    .tuple(
      change,
      fc.constantFrom(' && ', '; ', ' || ', ' | '),
      deed,
      fc.constantFrom('; ', ' && '),
      fc.oneof(deed, change, last),
    )
    .map((parts) => parts.join(''))
  const command = fc.oneof(
    deed,
    last,
    line,
    line.map((inner) => `(${inner})`),
    line.map((inner) => `{ ${inner}; }; true`),
  )

  it('[ABUSE-97] lose no protected file to one that is not refused', async () => {
    const session = await open(files, { cwd })
    let lost = 0
    await fc.assert(
      fc.asyncProperty(command, async (text) => {
        const outcome = await shell(session, text)
        fresh()
        spawnSync('bash', ['-c', text], {
          cwd,
          env: { PATH: process.env['PATH'], HOME: home, PWD: cwd },
          stdio: 'ignore',
        })
        if (kept()) return
        lost++
        expect({ text, outcome }).toEqual({ text, outcome: expect.stringMatching(/^TOOL_NOT_ALLOWED/) })
      }),
      { numRuns: 60 },
    )
    expect(lost).toBeGreaterThan(8)
  })
})
