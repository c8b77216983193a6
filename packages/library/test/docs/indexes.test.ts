import { openRepertoire, memorySource } from '@repertoire/core'
import { expect, it, onTestFinished } from 'vitest'
import { skillText } from '../origins/skill-text.ts'
import { openDocsServer, serve } from './mcp-example.ts'

it('[DISC-12, ADPT-4] the programs of the page serve skills and read them', async () => {
  const skills = { pdf: { 'SKILL.md': skillText('pdf') } }
  const server = await serve(await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] }))
  onTestFinished(() => server.close())
  const repertoire = await openDocsServer(server.url)
  expect(repertoire.catalog.get('pdf').location).toBe('mcp:docs/skill://pdf')
})
