import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { adapterSession, openAdapterSession } from '../../../src/adapter.ts'
import type { MountRequest } from '../../../src/index.ts'
import { makeSkills, HOST, base, skill, open, activate, runner } from './fork-world.ts'
import { givenPath } from '../session-world.ts'
import { code, activeNames } from '../outcome.ts'
import { hooksBy } from '../hook-runner.ts'
import { CORE, NODE } from '../../bundled-entries.ts'

makeSkills()

describe('what surrounds a fork', () => {
  it('[ACT-10, ACT-13] its hooks run around it, and those of what is active above do not', async () => {
    skill('hooked', 'context: fork\nhooks:\n  pre: [a.sh]\n  post: [b.sh]\n')
    skill('below', 'hooks:\n  post: [c.sh]\n')
    for (const path of ['hooked/a.sh', 'hooked/b.sh', 'below/c.sh']) writeFileSync(join(base, path), 'true')
    const order: string[] = []
    const scripts = hooksBy(({ script }) => ({ ok: order.push(script) > 0 }))
    const { session } = await open({}, { scripts })
    await activate(session, 'below')
    const { fork } = runner(() => {
      order.push('fork')
      throw new Error('failed')
    })
    expect(code(await activate(session, 'hooked', fork))).toBe('FORK_FAILED')
    expect(order).toEqual(['a.sh', 'fork', 'b.sh'])
    await session.end()
    expect(order.at(-1)).toBe('c.sh')
  })

  it('[ACT-10, ACT-13] a pre hook that says no keeps it from running', async () => {
    skill('hooked', 'context: fork\nhooks:\n  pre: [a.sh]\n')
    writeFileSync(join(base, 'hooked/a.sh'), 'true')
    const { session } = await open({}, { scripts: hooksBy(() => ({ ok: false })) })
    const { fork, requests } = runner()
    expect(code(await activate(session, 'hooked', fork))).toBe('HOOK_FAILED')
    expect(requests).toEqual([])
  })

  it('[ACT-5, ACT-10] gets its own private copy, and the copies of the parent stay', async () => {
    const events: string[] = []
    const mounts = {
      mount: ({ task, skill: name }: MountRequest) => {
        events.push(`mount ${task} ${name}`)
        return Promise.resolve({ path: `private:/.skills/${name}`, location: `/private/${task}/${name}` })
      },
      unmount: (task: string, name?: string) => {
        events.push(`unmount ${task} ${name}`)
        return Promise.resolve()
      },
    }
    const { session } = await open({}, { mounts })
    await activate(session, 'careful')
    const { fork } = runner(async ({ session: child }) => {
      const paths = ['research', 'careful'].map((name) => givenPath(child, `private:/.skills/${name}/a.md`))
      return (await Promise.all(paths)).join(' ')
    })
    const call = { id: 'x', tool: 'activate_skill', input: { name: 'research' } }
    const outcome = await session.call(call, () => '', { fork })
    expect(outcome).toMatchObject({ value: { result: '/private/task/x/research/a.md /private/task/careful/a.md' } })
    expect(events).toEqual([
      'mount task careful',
      'mount task/x research',
      'unmount task/x research',
      'unmount task/x undefined',
    ])
    expect(await givenPath(session, 'private:/.skills/careful/a.md')).toBe('/private/task/careful/a.md')
  })

  it('[ACT-5, ACT-10] that cannot be mounted does not run', async () => {
    const mounts = { mount: () => Promise.reject(new Error('full')), unmount: () => Promise.resolve() }
    const { session } = await open({}, { mounts })
    const { fork, requests } = runner()
    expect(code(await activate(session, 'research', fork))).toBe('MOUNT_FAILED')
    expect(requests).toEqual([])
  })

  it('[SHOW-1, ACT-10] has no section in its prompt for what is active in the parent, since it was never shown there', async () => {
    const { session } = await open({}, { listing: { style: 'matched' } })
    await activate(session, 'careful')
    const { fork } = runner(
      async ({ session: child }) => (await adapterSession(child).step({ tools: HOST })).instructions,
    )
    const { text } = await activate(session, 'research', fork)
    expect(text?.match(/This skill is active/g)).toHaveLength(1)
  })
})

const CRASH = `
const [core, node, root] = process.argv.slice(1)
const { openRepertoire } = await import(core)
const { directorySource } = await import(node)
const repertoire = await openRepertoire({ sources: [directorySource({ root, layer: 'project' })], sessionSecret: 'k' })
const session = repertoire.openSession({ id: 'task', consent: () => true })
const activate = (name, fork) => session.call({ id: name, tool: 'activate_skill', input: { name } }, () => '', { fork })
await activate('careful')
await activate('research', () => {
  process.stdout.write(JSON.stringify(session.save()))
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
})
`

it('[ACT-10, ACT-15, ABUSE-96] a process that dies in a fork leaves a session in which it did not run, and nothing runs it by itself', async () => {
  const child = spawnSync(
    process.execPath,
    ['--conditions=@repertoire/source', '--input-type=module', '-e', CRASH, CORE, NODE, base],
    { encoding: 'utf8' },
  )
  expect({ signal: child.signal, stderr: child.stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
  const { repertoire } = await open({}, { sessionSecret: 'k' })
  const resumed = openAdapterSession(repertoire, { saved: foreign(JSON.parse(child.stdout)) })
  expect(activeNames(resumed)).toEqual(['careful'])
  expect(resumed.state.open).toEqual([])
  const { fork, requests } = runner()
  await resumed.beginTurn('go on', { fork })
  expect(requests).toEqual([])
  // What was agreed to before the crash holds: whoever calls again is not asked again.
  expect(code(await activate(resumed, 'research', fork))).toBe('ok')
  expect(requests).toHaveLength(1)
})
