import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshProcesses } from '@repertoire/test-servers'
import { afterAll, expect, test, vi } from 'vitest'
import type { Job, Report } from './chat-process.ts'
import { activate, call, CAREFUL, resultOf, useEndpoint } from './task.ts'

// Every step is a process, which takes its time on a loaded machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const processes = freshProcesses<Job, Report>(fileURLToPath(new URL('chat-process.ts', import.meta.url)))
const endpoint = useEndpoint()
afterAll(() => processes.close())

test.each([true, false])(
  '[ADPT-5, ASK-5, ACT-15] a run that waits goes on in another process, streamed: %s',
  async (stream) => {
    for (const approve of [true, false]) {
      const root = await mkdtemp(join(tmpdir(), 'repertoire-chat-'))
      const skills = join(root, 'skills')
      await mkdir(join(skills, 'careful'), { recursive: true })
      await writeFile(join(skills, 'careful/SKILL.md'), CAREFUL['careful']!['SKILL.md'])
      const script = [
        activate('careful'),
        call('Bash', { command: 'rm a' }),
        { text: 'Done.' },
        call('Write', {}),
        { text: 'Yes.' },
      ]
      const play = endpoint().play(script)
      const { baseURL, apiKey, model } = play
      const job: Job = { stream, skills, chat: join(root, 'chat.json'), model: { baseURL, apiKey, model } }
      const asked = await processes.run(skills, { ...job, say: 'Hello' })
      expect(asked).toEqual({ open: ['careful'], active: [], runs: [], text: '' })
      const answered = await processes.run(skills, { ...job, approve })
      expect(answered).toMatchObject({ open: [], active: approve ? ['careful'] : [], text: 'Done.' })
      expect(answered.runs).toEqual(approve ? [] : ['Bash {"command":"rm a"}'])
      expect(resultOf(play, 'call_1_1')).toContain(approve ? 'LOOK FIRST.' : 'not today')
      const later = await processes.run(skills, { ...job, say: 'And now?' })
      expect(later).toMatchObject({ open: [], text: 'Yes.', runs: approve ? [] : ['Write {}'] })
      await rm(root, { recursive: true })
    }
  },
)
