import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { RepertoireOptions } from '../../src/repertoire/options.ts'

const text = (name: string): string => `---\nname: ${name}\ndescription: Is ${name}.\n---\nDo it.\n`

/** As a program finds them that has only imported the package. */
async function fresh(): Promise<typeof import('../../src/index.ts')> {
  vi.resetModules()
  return import('../../src/index.ts')
}

describe.each([['first'], ['second']])('the %s call in a program', (which) => {
  let core: typeof import('../../src/index.ts')
  beforeEach(async () => {
    core = await fresh()
    if (which === 'first') return
    await core.openRepertoire({ sources: [] })
    await core.parseSkill('')
  })

  const source = (name: string) =>
    core.memorySource({ layer: 'personal', skills: { [name]: { 'SKILL.md': text(name) } } })
  const namesIn = async (opening: ReturnType<typeof core.openRepertoire>): Promise<readonly string[]> =>
    (await opening).catalog.list().map(({ name }) => name)

  it('[NFR-5, CAT-1] opens by the options as they are when it is made', async () => {
    const options = { sources: [source('given')] }
    const opening = core.openRepertoire(options)
    options.sources = [source('later')]
    expect(await namesIn(opening)).toEqual(['given'])
  })

  it.each([[undefined], [null], ['options'], [{}], [{ sources: 1 }]])('rejects %j as options', async (given) => {
    await expect(core.openRepertoire(given as unknown as RepertoireOptions)).rejects.toThrow(TypeError)
  })

  it('[MAN-2] reads a file as its bytes are when it is given', async () => {
    const bytes = Buffer.from(text('given'))
    const parsing = core.parseSkill(bytes)
    bytes.fill(0)
    expect((await parsing).manifest?.name).toBe('given')
  })
})
