import { NO_POLICY } from '../src/internal.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { allows, judge, reason, rule } from './rules.ts'
import { permits } from './permits.ts'
import { toolset } from './toolset.ts'

const tools = toolset({
  saveDocument: { as: 'Write', argument: 'filename', kind: 'path' },
  getPage: { as: 'WebFetch', argument: ['url', 'path'], kind: 'url' },
  readLabelled: { as: 'NotebookRead', argument: 'path', kind: 'path', harmless: ['label'] },
})

/** Whether a call passes a policy that denies one rule, or asks about it. */
async function leaves(denied: string, tool: string, input: unknown): Promise<boolean> {
  const policy = { ...NO_POLICY, lists: [], denied: [{ rules: [rule(denied)] }] }
  return (await permits(policy, { tool, input }, { tools, cwd: '/project' })).allowed
}

describe('paths that other arguments give', () => {
  test.each([
    ['Read(secret/**)', 'Read', { file_path: 'x', cwd: 'secret' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', workdir: 'secret' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', working_directory: './secret/' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', root: '/project/secret' }],
    ['Read(secret/**)', 'Read', { file_path: '/x', root: '/project/secret' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', base_path: 'secret' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', dir: 'secret' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', directory: 'a/../secret' }],
    ['Read(a/b/c)', 'Read', { file_path: 'c', root: 'a', folder: 'b' }],
    ['Read(a/b/c)', 'Read', { file_path: 'c', options: { cwd: '/project/a/b' } }],
    ['Read(secret/**)', 'Read', { file_path: 'x', whereItLies: 'secret' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', cwd: '~/project/secret' }],
    ['Read(secret/**)', 'Read', { file_path: 'ok', paths: ['also/ok', 'secret/x'] }],
    ['Read(secret/**)', 'Read', { file_path: 'ok', files: [{ path: 'secret/x' }] }],
    ['Read(secret/**)', 'Read', { file_path: 'ok', files: { 'secret/x': true } }],
    ['Write(secret/**)', 'Write', { file_path: 'ok', destination: 'secret/x', content: '' }],
    ['Write(secret/**)', 'saveDocument', { folder: 'secret', filename: 'x' }],
    ['Read(secret/**)', 'Read', Object.defineProperty({ file_path: 'ok' }, 'cwd', { get: () => 'secret' })],
    ['Grep(secret/**)', 'Grep', { pattern: 'x', path: 'a', glob: '../secret/*' }],
  ])('[GATE-14] [ABUSE-132] a rule that denies %s refuses %s %j', async (denied, tool, input) => {
    expect(await leaves(denied, tool, input)).toBe(false)
  })

  test.each([
    ['Read(secret/**)', 'Read', { file_path: 'x', cwd: '/project' }],
    ['Read(secret/**)', 'Read', { file_path: 'x', cwd: 'docs', limit: 10, offset: 2 }],
    ['Write(secret/**)', 'Write', { file_path: 'docs/x', content: 'Nobody reads ~/secret\nor secret/x.' }],
    ['Edit(secret/**)', 'Edit', { file_path: 'docs/x', old_string: 'secret/', new_string: '', replace_all: true }],
    ['Grep(secret/**)', 'Grep', { pattern: '^secret/.*\\.ts$', path: 'src', glob: '*.ts', output_mode: 'content' }],
  ])('[GATE-14] a rule that denies %s leaves %s %j', async (denied, tool, input) => {
    expect(await leaves(denied, tool, input)).toBe(true)
  })

  test.each([
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', cwd: '/etc' }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', root: '/etc' }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', glob: '/etc/passwd' }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', include: ['~/.ssh/*'] }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', options: { baseDir: '..' } }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', paths: ['/etc/passwd'] }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', files: ['docs/y', 'src/z'] }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', files: { 'src/z': 1 } }],
    ['Write(docs/**)', 'Write', { file_path: 'docs/x', destination: 'src/x' }],
    ['Write(docs/**)', 'Write', { file_path: 'docs/x', backup: 'Makefile' }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', extra: () => 'x' }],
    ['Write(docs/**)', 'saveDocument', { folder: 'src', filename: 'docs/x' }],
    ['Grep(docs/**)', 'Grep', { pattern: 'x', path: 'docs/a', glob: '../../src/*' }],
  ])('[GATE-14] [ABUSE-132] a rule that allows %s refuses %s %j', async (allowed, tool, input) => {
    const policy = { ...NO_POLICY, lists: [{ rules: [rule(allowed)] }] }
    expect(await permits(policy, { tool, input }, { tools, cwd: '/project' })).toMatchObject({ allowed: false })
  })

  test.each([
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', cwd: '/project', limit: 5, encoding: 'utf8' }],
    ['Read(docs/**)', 'Read', { file_path: 'docs/x', paths: ['docs/y', 'docs/z/a'] }],
    ['Write(docs/**)', 'Write', { file_path: 'docs/x', content: '../../etc/passwd', reason: 'to see /etc' }],
    ['Edit(docs/**)', 'Edit', { file_path: 'docs/x', edits: [{ old_string: '/a', new_string: '/b' }] }],
    ['Grep(docs/**)', 'Grep', { pattern: '/etc/.*', path: 'docs/a', glob: '*.md', '-n': true }],
  ])('[GATE-14] a rule that allows %s permits %s %j', async (allowed, tool, input) => {
    expect(await allows([allowed], tool, input)).toBe(true)
  })

  test('[GATE-14] a host declares an argument that is not about paths as harmless', async () => {
    const policy = { ...NO_POLICY, lists: [{ rules: [rule('NotebookRead(docs/**)')] }] }
    const verdict = (input: unknown): unknown =>
      permits(policy, { tool: 'readLabelled', input }, { tools, cwd: '/project' })
    expect(await verdict({ path: 'docs/x', label: 'blue' })).toEqual({ allowed: true })
    expect(await verdict({ path: 'docs/x', colour: 'blue' })).toMatchObject({ allowed: false })
  })

  test('[GATE-14] the refusal names the argument that adds to the path', async () => {
    expect(await reason(['Read(docs/**)'], 'Read', { file_path: 'docs/x', cwd: '/etc' })).toBe(
      '"Read" may only be used as Read(docs/**) while the skill "skill-0" is active; the path "/etc/docs/x" is not ' +
        'covered. Its argument "cwd" counts too: leave it out, or change it.',
    )
  })

  test('[GATE-14] a denied file is refused however its path is divided among arguments', async () => {
    const parts = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 2, maxLength: 6 })
    const base = fc.constantFrom(
      ...'cwd workdir working_directory root base base_path basePath dir directory folder rootDir anything'.split(' '),
    )
    await fc.assert(
      fc.asyncProperty(parts, fc.nat(), base, fc.boolean(), fc.boolean(), async (all, cut, name, absolute, nested) => {
        const at = 1 + (cut % (all.length - 1))
        const folder = `${absolute ? '/project/' : ''}${all.slice(0, at).join('/')}`
        const input = {
          file_path: all.slice(at).join('/'),
          ...(nested ? { options: { [name]: folder } } : { [name]: folder }),
        }
        expect(await leaves(`Read(${all.join('/')})`, 'Read', input)).toBe(false)
        expect(await allows([`Read(${all.slice(at).join('/')})`], 'Read', input)).toBe(false)
      }),
      { numRuns: runs(400) },
    )
  })
})

describe('addresses that other arguments give', () => {
  test.each([
    ['WebFetch(domain:evil.io)', { host: 'evil.io', path: '/x' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', host: 'evil.io' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', endpoint: 'evil.io' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', headers: [{ name: 'Host', value: 'evil.io' }] }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', baseURL: 'https://evil.io' }],
    ['WebFetch(domain:evil.io)', { url: '/x', baseURL: 'https://evil.io' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', urls: ['https://ok.io', 'https://evil.io'] }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', options: { proxy: 'evil.io:8080' } }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', path: '//evil.io/x' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', path: '@evil.io/x' }],
    ['WebFetch(domain:ok.evil.io)', { url: 'https://ok', path: '.evil.io/x' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', headers: { Host: 'evil.io' } }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', anything: ' evil.io ' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', anything: 'see https://evil.io/x' }],
    ['WebFetch(domain:127.0.0.1)', { url: 'https://ok.io', host: 2130706433 }],
  ])('[GATE-14] [ABUSE-132] a rule that denies %s refuses %j', async (denied, input) => {
    expect(await leaves(denied, 'WebFetch', input)).toBe(false)
  })

  test.each([
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io/x', prompt: 'Does it mention https://evil.io?' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', method: 'GET', headers: { Accept: 'text/html' }, timeout: 5 }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', baseURL: 'https://ok.io', path: '/a/b' }],
    ['WebFetch(domain:evil.io)', { url: 'https://ok.io', anything: 'as you like' }],
  ])('[GATE-14] a rule that denies %s leaves %j', async (denied, input) => {
    expect(await leaves(denied, 'WebFetch', input)).toBe(true)
  })

  test.each([
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', urls: ['https://evil.io'] }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', host: 'evil.io' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', headers: [{ name: 'Host', value: 'evil.io' }] }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', port: '80@evil.io' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', socketPath: '/run/docker.sock' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', agent: { unix_socket: '/run/docker.sock' } }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', endpoint: 'evil.io' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', baseURL: 'https://evil.io' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com', path: '.evil.io/x' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com', path: '@evil.io' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', path: '//evil.io' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', request: { proxy: { host: 'evil.io', port: 80 } } }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', headers: { 'X-Forwarded-Host': 'evil.io' } }],
    ['WebFetch(https://x.com/a/*)', { url: 'https://x.com/a/b', port: 8443 }],
    ['WebFetch(https://x.com/a/*)', { url: 'https://x.com/a/b', protocol: 'http' }],
    ['WebFetch(https://x.com/a/*)', { url: 'https://x.com/a/b', path: '/c' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', anything: 'y.com' }],
  ])('[GATE-14] [ABUSE-132] a rule that allows %s refuses %j', async (allowed, input) => {
    expect(await judge([allowed], 'WebFetch', input)).toMatchObject({ allowed: false })
  })

  test.each([
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', prompt: 'Compare it with https://y.com.' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', headers: { Accept: '*/*', 'X-Key': 'k' }, method: 'POST' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', host: 'api.x.com', path: '/b' }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', urls: ['https://x.com/b', 'https://www.x.com'] }],
    ['WebFetch(domain:x.com)', { url: 'https://x.com/a', body: { callback: 'https://y.com' }, timeout: 3 }],
  ])('[GATE-14] a rule that allows %s permits %j', async (allowed, input) => {
    expect(await allows([allowed], 'WebFetch', input)).toBe(true)
  })
})
