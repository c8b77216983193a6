import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { isSkillError, openRepertoire, type Repertoire, type ScriptRunner } from '@repertoire/core'
import { directorySource, moduleToolsets } from '@repertoire/core/node'
import { openBubblewrap, processRunner, sandboxRunner, virtualRunner } from '@repertoire/runners'
import { MAX_OUTPUT_BYTES, TIMEOUT_MS } from './skills.ts'

/** A host with a runner of its own. */
export interface Host {
  readonly name: string
  readonly repertoire: Repertoire
  /** Opens another runner of the same kind. */
  readonly openRunner: () => Promise<ScriptRunner>
  close(): Promise<void>
}

const RUNNERS = {
  virtual: async () => virtualRunner(),
  bubblewrap: openBubblewrap,
  process: async () => processRunner(),
  bridge: async () => sandboxRunner({ name: 'bridge', isolated: false, write, exec }),
} as const satisfies Record<string, () => Promise<ScriptRunner>>

export type RunnerName = keyof typeof RUNNERS

/** Hosts over the skills of a folder, one for each runner that works here. */
export async function openHosts(
  root: string,
  names: readonly RunnerName[] = Object.keys(RUNNERS) as RunnerName[],
): Promise<{ readonly hosts: readonly Host[]; readonly absent: Readonly<Record<string, string>> }> {
  const hosts: Host[] = []
  const absent: Record<string, string> = {}
  for (const name of names) {
    try {
      hosts.push(await openHost(name, root, RUNNERS[name]))
    } catch (error) {
      if (!isSkillError(error)) throw error
      absent[name] = error.message
    }
  }
  return { hosts, absent }
}

export async function openHost(name: string, root: string, openRunner: () => Promise<ScriptRunner>): Promise<Host> {
  const runner = await openRunner()
  const repertoire = await openRepertoire({
    sources: [directorySource({ root, layer: 'personal' })],
    runner,
    hooks: 'scripts',
    scripts: { limits: { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES } },
    toolsets: { loader: moduleToolsets(), layers: ['personal'] },
  })
  return {
    name,
    repertoire,
    openRunner,
    async close() {
      await repertoire.close()
      await runner.close?.()
    },
  }
}

/** A sandbox that is this machine: what a host plugs in of its own. */
async function write(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): Promise<void> {
  for (const { path, bytes } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
}

async function exec(line: string): Promise<string> {
  const child = spawn('/bin/sh', ['-c', line], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return text(child.stdout)
}
