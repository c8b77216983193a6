import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAudit } from '@repertoire/core/node'
import { expect, it, onTestFinished } from 'vitest'
import { openInspected } from './inspector-example.ts'

it('[SEE-1] the program of the page writes a log, and sends the same events to the page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inspected-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'skills/pdf'), { recursive: true })
  await writeFile(join(folder, 'skills/pdf/SKILL.md'), '---\nname: pdf\ndescription: Fill in forms.\n---\n\nFill in.\n')
  const sent: unknown[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request as AsyncIterable<Buffer>) text += part.toString()
    sent.push(JSON.parse(text))
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { readonly port: number }
  const path = join(folder, 'audit.jsonl')
  const repertoire = await openInspected(join(folder, 'skills'), path, `http://127.0.0.1:${port}/#key=k`)
  const session = repertoire.openSession({ consent: () => true })
  await session.activate('pdf')
  await session.end()
  await repertoire.close()
  const written: unknown[] = []
  for await (const event of readAudit(path)) written.push(event)
  expect(written.length).toBeGreaterThan(1)
  expect(sent).toEqual(written)
})
