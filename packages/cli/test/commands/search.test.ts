import { describe, expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

async function withSkills(): Promise<string> {
  const cwd = await temporaryFolder()
  await write(cwd, {
    'skills/pdf-forms/SKILL.md': manifest('pdf-forms', '', 'Fills in PDF forms from a table.'),
    'skills/slides/SKILL.md': manifest('slides', 'tags: [powerpoint]\n', 'Makes presentations.'),
    'skills/deploy/SKILL.md': manifest('deploy', 'scope:\n  agents: [operator]\n', 'Puts a build on a server.'),
  })
  return cwd
}

describe('search', () => {
  it('[MATCH-6] finds skills, best first; with nothing found it ends with 1', async () => {
    const cwd = await withSkills()
    const found = await inProcess(['search', 'fill a PDF form', '--root', 'skills'], { cwd })
    expect(found).toMatchObject({ code: 0, stderr: '' })
    expect(found.stdout).toBe('pdf-forms\n  Fills in PDF forms from a table.\n\n1 skill\n')
    const nothing = await inProcess(['search', 'zebra', '--root', 'skills'], { cwd })
    expect([nothing.code, nothing.stdout]).toEqual([1, expect.stringContaining('No skill fits.')])
  })

  it('[MATCH-6] prints JSON, takes several words as one query, and shows what the viewer may see', async () => {
    const cwd = await withSkills()
    const json = await inProcess(['search', 'powerpoint', 'presentation', '--root', 'skills', '--json'], {
      cwd,
    })
    expect(JSON.parse(json.stdout)).toEqual({
      query: 'powerpoint presentation',
      hits: [
        {
          name: 'slides',
          description: 'Makes presentations.',
          location: `${cwd}/skills/slides`,
          score: 1,
        },
      ],
      diagnostics: [],
    })
    expect((await inProcess(['search', 'server', '--root', 'skills'], { cwd })).code).toBe(1)
    expect((await inProcess(['search', 'server', '--root', 'skills', '--agent', 'operator'], { cwd })).code).toBe(0)
  })

  it('[MATCH-6] refuses to search for nothing', async () => {
    const cwd = await withSkills()
    const wrong = [['search'], ['search', ' ']]
    const ended = await Promise.all(wrong.map((args) => inProcess(args, { cwd })))
    expect(ended.map(({ code }) => code)).toEqual([2, 2])
    expect(ended.every(({ stderr }) => stderr.startsWith('error: '))).toBe(true)
    const missing = await inProcess(['search', 'pdf', '--root', 'nowhere'], { cwd })
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('nowhere')])
  })
})
