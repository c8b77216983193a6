import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { applyPlan, planAdd, planUpdate, resolveOrigin } from '@repertoire/library'
import type { OriginOptions } from '@repertoire/library'
import { temporaryFolder } from '../temporary-folder.ts'
import { commit, git, makeRepository } from './git-repository.ts'
import { skillText } from './skill-text.ts'
import { makeCertificate, serveGit, startWebServer } from './web-server.ts'
import type { WebServer } from './web-server.ts'

let root: string
let server: WebServer
let first: string
let second: string
let options: OriginOptions
/** The connection of a question that is never answered. */
let never = Promise.withResolvers<Socket>()
const big = 'x'.repeat(300_000)

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-library-git-')))
  const team = makeRepository(join(root, 'team'))
  first = commit(team, {
    'skills/pdf/SKILL.md': skillText('pdf', 'First.'),
    'skills/pdf/scripts/run.sh': { script: '#!/bin/sh\n' },
    'skills/pdf/CLAUDE.md': { link: 'scripts/run.sh' },
    'skills/linked/SKILL.md': skillText('linked'),
    'skills/linked/secret': { link: '/etc/hostname' },
    '.gitattributes': '* text eol=crlf\n',
    'big.bin': big,
    'skills/big/SKILL.md': skillText('big'),
    'skills/big/big.txt': big,
  })
  git(team, 'tag', '-a', 'v1', '-m', 'x')
  git(team, 'branch', 'feature/one')
  second = commit(team, { 'skills/pdf/SKILL.md': skillText('pdf', 'Second.') })
  // A submodule: an entry that names a commit of another repository.
  git(team, 'update-index', '--add', '--cacheinfo', `160000,${first},skills/sub/inner`)
  commit(team, { 'skills/sub/SKILL.md': skillText('sub') })
  git(team, 'update-index', '--add', '--cacheinfo', `160000,${first},skills/sub/inner`)
  git(team, 'commit', '-q', '--amend', '-m', 'x')
  const certificate = makeCertificate()
  server = await startWebServer(certificate, (request, response) => {
    const path = request.url!
    const found = /^\/(team|old|private|moved|away)\.git(\/.*)$/.exec(path)
    if (path.startsWith('/never')) return never.resolve(request.socket)
    if (found === null) return void response.writeHead(404).end()
    const [, kind, rest = ''] = found
    if (kind === 'moved') return void response.writeHead(301, { location: `/team.git${rest}` }).end()
    if (kind === 'away')
      return void response.writeHead(301, { location: `https://169.254.169.254/team.git${rest}` }).end()
    if (kind === 'private' && request.headers.authorization === undefined) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
    }
    return serveGit(root, `/team${rest}`, request, response, kind === 'old')
  })
  options = { ca: server.ca, allowPrivate: ['127.0.0.1'], tokens: {} }
})

beforeEach(() => void server.asked.splice(0))

afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

/** By a path of this machine, which costs a tenth of a server. */
function local(rest = ''): string {
  return `git+${pathToFileURL(join(root, 'team')).href}${rest}`
}

async function bodyFrom(address: string, more: OriginOptions = {}): Promise<string> {
  const origin = await resolveOrigin(address, { ...options, localGit: true, ...more })
  const { skills } = await origin.fetch({ skills: ['pdf'] })
  return Buffer.from(skills[0]!.files.get('SKILL.md')!.bytes).toString()
}

describe('a repository as an origin', () => {
  it('[LIB-5] gives the files of one commit, and receives nothing else', async () => {
    const temporary = join(root, 'temporary')
    mkdirSync(temporary)
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const counts: number[] = []
    const origin = await resolveOrigin(`${server.url}/team.git`, options)
    const revision = git(join(root, 'team'), 'rev-parse', 'HEAD')
    expect(origin.resolved).toEqual({
      source: `${server.url}/team.git`,
      sourceType: 'git',
      sourceUrl: `${server.url}/team.git`,
      revision,
    })
    const { skills } = await origin.fetch({
      skills: ['pdf'],
      onProgress: ({ kind, count = 0 }) => void (kind === 'received' && counts.push(count)),
    })
    const files = [...skills[0]!.files].map(([path, { bytes, executable = false }]) => [
      path,
      Buffer.from(bytes).toString(),
      executable,
    ])
    // As it was committed: attributes, which change lines and run filters, have no effect.
    expect(files).toEqual([
      ['CLAUDE.md', '#!/bin/sh\n', true],
      ['SKILL.md', skillText('pdf', 'Second.'), false],
      ['scripts/run.sh', '#!/bin/sh\n', true],
    ])
    expect(Math.max(...counts)).toBeLessThan(big.length / 10)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('[LIB-12] that fails at an update keeps its skills, and those of other repositories are updated', async () => {
    const project = temporaryFolder()
    const withToken = { ...options, tokens: { [server.host]: 'secret' } }
    const origins = [
      await resolveOrigin(`${server.url}/team.git`, { ...options, revision: first }),
      await resolveOrigin(`${server.url}/private.git`, withToken),
    ]
    for (const [index, skill] of ['pdf', 'big'].entries())
      await applyPlan(await planAdd({ project, origins: [origins[index]!], skills: [skill] }))
    const both = await planUpdate({ project, origin: withToken })
    expect(both.skills).toMatchObject([
      { name: 'big', because: 'unchanged' },
      { name: 'pdf', action: 'replace' },
    ])
    const plan = await planUpdate({ project, origin: options })
    expect(plan.skills).toMatchObject([
      { name: 'big', because: 'unchecked', problem: expect.stringMatching(/private\.git: .* wants a token/) as string },
      { name: 'pdf', action: 'replace', newer: true },
    ])
    expect(await applyPlan(plan)).toMatchObject({ written: ['pdf'], kept: ['big'] })
    expect(readFileSync(join(project, '.agents/skills/pdf/SKILL.md'), 'utf8')).toContain('Second.')
  })

  it('[ABUSE-69] resolves branches and tags to a commit, and fetches that one whatever they are later', async () => {
    expect(await bodyFrom(local(`#v1`))).toContain('First.')
    expect(await bodyFrom(local(``), { ref: 'refs/tags/v1' })).toContain('First.')
    expect(await bodyFrom(local(`#${second}`))).toContain('Second.')
    git(join(root, 'team'), 'tag', 'moving', first)
    const origin = await resolveOrigin(local('#moving'), { ...options, localGit: true })
    git(join(root, 'team'), 'tag', '-f', 'moving', second)
    const { skills } = await origin.fetch({ skills: ['pdf'] })
    expect(origin.resolved).toMatchObject({ ref: 'moving', revision: first })
    expect(Buffer.from(skills[0]!.files.get('SKILL.md')!.bytes).toString()).toContain('First.')
    expect(await bodyFrom(local(`#moving`), { revision: first })).toContain('First.')
    for (const address of [`${server.url}/team.git#nowhere`, `${server.url}/nothing.git`]) {
      await expect(resolveOrigin(address, options)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    }
    // A folder of this machine wants no token.
    const nowhere = resolveOrigin(`git+file://${root}/nowhere`, { localGit: true })
    await expect(nowhere).rejects.toThrow(/is not there\. Git says/)
  })

  it('[ABUSE-69] refuses a name that is a branch and a tag', async () => {
    git(join(root, 'team'), 'branch', 'twice', first)
    git(join(root, 'team'), 'tag', 'twice', second)
    await expect(resolveOrigin(`${server.url}/team.git#twice`, options)).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
      message: expect.stringContaining('refs/heads/twice') as string,
    })
    expect(await bodyFrom(local(`#refs/heads/twice`))).toContain('First.')
  })

  it('[LIB-5] looks for skills in the folder that is named', async () => {
    expect(await bodyFrom(local(`//skills/pdf#v1`))).toContain('First.')
    const origin = await resolveOrigin(local('//skills/pdf'), { ...options, localGit: true })
    expect((await origin.fetch()).skills.map(({ path }) => path)).toEqual(['skills/pdf/SKILL.md'])
  })

  it('[LIB-5] gets along with a server that gives no single files and no hidden commits', async () => {
    git(join(root, 'team'), 'config', 'uploadpack.allowFilter', 'false')
    try {
      expect(await bodyFrom(`${server.url}/old.git`)).toContain('Second.')
    } finally {
      git(join(root, 'team'), 'config', 'uploadpack.allowFilter', 'true')
    }
    await expect(bodyFrom(local(), { revision: '1'.repeat(40) })).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
    })
  })

  it('[ABUSE-68] refuses a skill with a link or a submodule, and names it', async () => {
    const origin = await resolveOrigin(local(), { ...options, localGit: true })
    await expect(origin.fetch({ skills: ['linked'] })).rejects.toMatchObject({ path: 'skills/linked/secret' })
    const [pdf] = (await origin.fetch({ skills: ['pdf'] })).skills
    expect(pdf!.files.get('CLAUDE.md')).toEqual(pdf!.files.get('scripts/run.sh'))
    await expect(origin.fetch({ skills: ['sub'] })).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
      message: expect.stringContaining('is a submodule') as string,
    })
  })

  it('[ABUSE-68] asks repositories of this machine only where the host says so, and runs nothing of them or of the user', async () => {
    const trace = join(root, 'ran')
    const evil = makeRepository(join(root, 'evil'))
    commit(evil, { 'pdf/SKILL.md': skillText('pdf', 'Evil.'), '.gitattributes': '* filter=x\n' })
    writeFileSync(join(evil, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 })
    const address = `git+${pathToFileURL(evil).href}`
    await expect(resolveOrigin(address, options)).rejects.toMatchObject({ code: 'ORIGIN_INVALID' })
    const before = { ...process.env }
    // What a user's own environment and configuration would let git run.
    writeFileSync(
      join(root, '.gitconfig'),
      `[core]\n\tsshCommand = touch ${trace}\n\tfsmonitor = touch ${trace}\n[init]\n\ttemplateDir = ${evil}/.git\n`,
    )
    Object.assign(process.env, {
      HOME: root,
      GIT_SSH_COMMAND: `touch ${trace}`,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=touch ${trace}'`,
      GIT_EXEC_PATH: evil,
      GIT_DIR: evil,
    })
    try {
      expect(await bodyFrom(address, { localGit: true })).toContain('Evil.')
      await resolveOrigin(`${server.url}/team.git`, options)
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
      Object.assign(process.env, before)
    }
    expect(existsSync(trace)).toBe(false)
  })

  it('[ABUSE-69] refuses hosts that are not public, by address, by name and behind a redirect', async () => {
    const none = { ca: server.ca, tokens: {} }
    for (const address of [
      `${server.url}/team.git`,
      server.url.replace('127.0.0.1', 'localhost') + '/team.git',
      'git@127.0.0.1:team.git',
      'ssh://git@localhost/team.git',
      'https://[::ffff:7f00:1]/team.git',
      'https://2130706433/team.git',
    ]) {
      await expect(resolveOrigin(address, none)).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    }
    await expect(resolveOrigin('git+http://example.com/team.git', options)).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
    })
    await expect(resolveOrigin(`${server.url}/away.git`, options)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    expect(server.asked.every(({ path }) => path.startsWith('/away.git'))).toBe(true)
  })

  it('[LIB-5] asks over ssh by the program of the user, who alone has keys, and hands it nothing else', async () => {
    const bin = join(root, 'bin')
    mkdirSync(bin, { recursive: true })
    const log = join(root, 'ssh.log')
    // Runs here what it would run there.
    writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nenv > ${log}\nwhile [ $# -gt 1 ]; do shift; done\nexec sh -c "$1"\n`, {
      mode: 0o755,
    })
    const before = { ...process.env }
    Object.assign(process.env, { PATH: `${bin}:${process.env['PATH']}`, SSH_AUTH_SOCK: '/agent', A_SECRET: 'secret' })
    try {
      const origin = await resolveOrigin(`ssh://git@127.0.0.1${root}/team#v1`, options)
      expect(origin.resolved).toMatchObject({ revision: first, sourceType: 'git' })
    } finally {
      delete process.env['SSH_AUTH_SOCK']
      delete process.env['A_SECRET']
      Object.assign(process.env, before)
    }
    const seen = readFileSync(log, 'utf8')
    expect(seen).toContain('SSH_AUTH_SOCK=/agent')
    expect(seen).not.toContain('secret')
  })

  it('[LIB-5] follows a repository that has moved', async () => {
    const origin = await resolveOrigin(`${server.url}/moved.git`, options)
    expect(origin.resolved).toMatchObject({ source: `${server.url}/moved.git`, sourceUrl: `${server.url}/team.git` })
  })

  it('[LIB-5] sends a token to its host, and repeats it nowhere', async () => {
    const url = `${server.url}/private.git`
    await expect(resolveOrigin(url, options)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    const tokens = { [server.host]: 'secret-token' }
    const origin = await resolveOrigin(url, { ...options, tokens })
    const basic = Buffer.from('x-access-token:secret-token').toString('base64')
    expect(server.asked.at(-1)!.authorization).toBe(`Basic ${basic}`)
    expect(JSON.stringify(origin.resolved)).not.toContain('secret')
    server.asked.splice(0)
    await resolveOrigin(`${server.url}/team.git`, { ...options, tokens: { 'example.com': 'secret-token' } })
    expect(new Set(server.asked.map(({ authorization }) => authorization))).toEqual(new Set([undefined]))
    const error: unknown = await resolveOrigin(`${server.url}/nothing.git`, { ...options, tokens }).catch(
      (thrown: unknown) => thrown,
    )
    expect(String(error)).not.toContain('secret-token')
  })

  it('[LIB-5] ends what takes too long, is too large, or is not wanted any more', async () => {
    await expect(resolveOrigin(`${server.url}/never.git`, { ...options, timeout: 300 })).rejects.toMatchObject({
      code: 'TIMED_OUT',
    })
    const small = await resolveOrigin(local(), { ...options, localGit: true, maxBytes: 100 })
    await expect(small.fetch()).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    // Packed it is small.
    const packed = await resolveOrigin(local(), { ...options, localGit: true, maxBytes: 100_000 })
    await expect(packed.fetch({ skills: ['big'] })).rejects.toThrow(/its files have more than 100000 bytes/)
    const reason = new Error('enough')
    await expect(
      resolveOrigin(`${server.url}/never.git`, { ...options, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    const controller = new AbortController()
    never = Promise.withResolvers()
    const waiting = resolveOrigin(`${server.url}/never.git`, { ...options, signal: controller.signal })
    const socket = await never.promise
    const closed = new Promise((resolve) => socket.once('close', resolve))
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    // The program that git has started for it ends as well.
    await closed
  })
})
