import { type MemoryFile, memorySource, openRepertoire, type Repertoire, type ToolRule } from '@repertoire/core'
import { parseSkill, renderSkill } from '@repertoire/core/authoring'
import { directorySource, skillFolder } from '@repertoire/core/node'

/** Opens a folder of somebody else's skills. Those that `rules` names get your rules; no file is changed. */
export async function openWithRules(
  root: string,
  rules: Readonly<Record<string, readonly ToolRule[]>>,
): Promise<Repertoire> {
  const skills: Record<string, Record<string, MemoryFile>> = {}
  for (const [name, allowedTools] of Object.entries(rules)) {
    const folder = skillFolder(`${root}/${name}`)
    const files: Record<string, MemoryFile> = {}
    for (const { path, executable } of (await folder.list()).files)
      files[path] = { content: await folder.read(path), executable }
    const { manifest, body = '' } = await parseSkill(await folder.read('SKILL.md'), { folderName: name })
    if (manifest === undefined) throw new Error(`The skill "${name}" cannot be read.`)
    files['SKILL.md'] = await renderSkill({ manifest: { ...manifest, allowedTools }, body })
    skills[name] = files
  }
  // The first of two sources in one layer wins.
  return openRepertoire({ sources: [memorySource({ id: 'with-rules', skills }), directorySource({ root })] })
}
