import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, it, onTestFinished } from 'vitest'
import { activateIn, sessionsOf } from './session-stores-example.ts'

it('[LIB-11, ADPT-4] the programs of the page keep a session in a file, and hand its token and version on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const skills = { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: PDF.\n---\nText.\n' } }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const store = await sessionsOf('team', { path: join(folder, 'sessions.sqlite') })
  const rows: unknown[] = []
  const write = async (row: unknown): Promise<void> => void rows.push(row)
  await activateIn(repertoire, store, { chat: 'c', seenVersion: 0 }, write)
  await activateIn(repertoire, store, { chat: 'c', seenVersion: 1 }, write)
  expect(rows).toEqual([
    { chat: 'c', token: 1, version: 1 },
    { chat: 'c', token: 2, version: 1 },
  ])
  await expect(activateIn(repertoire, store, { chat: 'c', seenVersion: 9 }, write)).rejects.toMatchObject({
    code: 'STATE_OUTDATED',
  })
})
