import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it, onTestFinished } from 'vitest'
import { MAIN, NODE_ARGS, cleanEnv, manifest, temporaryFolder, write } from './command.ts'

/** A server that takes requests and never answers. */
async function silentServer(): Promise<{ readonly address: string; readonly asked: Promise<unknown> }> {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: once(server, 'request') }
}

/** Starts the command, presses Ctrl-C at the moment, and returns how it ended. */
async function interrupted(cwd: string, args: readonly string[], moment: 'output' | Promise<unknown>) {
  const child = spawn(process.execPath, [...NODE_ARGS, MAIN, ...args], { cwd, env: cleanEnv() })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (part) => void (stderr += String(part)))
  // Not `exit`: what was printed may come after it.
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  // A command that has ended says why, and never comes to the moment.
  await Promise.race([moment === 'output' ? once(child.stdout, 'data') : moment, ended])
  child.kill('SIGINT')
  const [code, signal] = await ended
  return { code: signal === 'SIGINT' ? 130 : code, stderr }
}

it('[FRONT-5] Ctrl-C ends a download, and leaves nothing in the project', async () => {
  const cwd = await temporaryFolder()
  const { address, asked } = await silentServer()
  const args = ['add', `${address}/skills.tar.gz`, '--allow-private', '127.0.0.1', '--yes']
  expect(await interrupted(cwd, args, asked)).toEqual({ code: 130, stderr: '' })
  expect(await readdir(cwd)).toEqual([])
})

it.each([
  ['serve', ['serve', 'skills', '--http'], 0],
  ['inspect', ['inspect', '--live'], 0],
])('[FRONT-5] Ctrl-C ends %s without an error', async (_, args, code) => {
  const cwd = await temporaryFolder()
  await write(cwd, { [join('skills', 'pdf', 'SKILL.md')]: manifest('pdf') })
  expect(await interrupted(cwd, args, 'output')).toEqual({ code, stderr: '' })
})

it('[FRONT-5, EVAL-5] Ctrl-C ends an eval, and says how many runs were done', async () => {
  const cwd = await temporaryFolder()
  const evals = [{ query: 'Fill the form.', should_trigger: true }]
  await write(cwd, { 'evals.json': JSON.stringify({ skill_name: 'pdf', evals }) })
  const { address, asked } = await silentServer()
  const ended = await interrupted(cwd, ['eval', 'evals.json', '--model', 'x', '--base-url', address], asked)
  expect(ended).toEqual({ code: 1, stderr: 'Stopped after 0 of 3 runs.\n' })
})
