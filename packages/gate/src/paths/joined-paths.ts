import type { ReadCall } from '../call.ts'
import { MAX_CALL_PATHS } from '../limits.ts'
import { FOLDERS, HARMLESS, isWorkingFolder, type JoinedText, names, otherValues } from '../other-arguments.ts'
import type { ToolArgument } from '../ports/tool.ts'

/**
 * What an argument is to a tool of files. `base`: a folder that paths are relative to. `below`: a pattern for what lies
 * below the path. `path`: a path like the tool's own. `unknown`: any of these.
 */
type Role = 'base' | 'below' | 'path' | 'unknown'

const BASES = names(
  'base basepath basefolder rootdir rootpath rootfolder parent parentdir parentpath parentfolder workspace workspaceroot ' +
    'workspacefolder workspacepath project projectpath projectdir prefix location drive volume repo repository repopath ' +
    'namespace subfolder subdirectory subdir searchdir searchpath startdir startpath',
)

const BELOW = names('glob globs include includes includepattern includepatterns filepattern filefilter fileglob')

const PATHS = names(
  'paths files file filepath filepaths filename filenames source sources src destination destinations dest dst target ' +
    'targets from to output outputpath outputfile input inputpath inputfile newpath oldpath link linkpath',
)

/** Arguments of tools of files that are not paths: what is written, what is searched, and what of it is not shown. */
const CONTENT = names(
  'content contents text data filetext filecontent body value newcontent oldstring newstring oldstr newstr oldtext ' +
    'newtext inserttext insertline newsource cellid celltype editmode replacement replace replaceall searchtext ' +
    'instruction instructions find query regex regexp search keyword keywords outputmode mode ' +
    'type filetype language lang encoding format limit maxresults headlimit offset startline endline line lines viewrange ' +
    'pages sort sortby order context multiline casesensitive ignorecase dryrun recursive append overwrite force depth ' +
    'maxdepth expectedreplacements exclude excludes excludepattern excludepatterns ignore ignorepattern ignorepatterns',
)

/** Folders before a path that are joined with each other as well. With more of them a call cannot be read. */
const MAX_BASES = 4

function roleOf(name: string, { reads }: ToolArgument): Role | undefined {
  // What searches in files is given a pattern of their text, and any other tool one of their names.
  if (name === 'pattern' || name === 'patterns') return reads === 'below' ? undefined : 'below'
  if (HARMLESS.has(name) || CONTENT.has(name)) return undefined
  if (FOLDERS.has(name) || BASES.has(name)) return 'base'
  return BELOW.has(name) ? 'below' : PATHS.has(name) ? 'path' : 'unknown'
}

/**
 * All paths that a call may mean beside those that its rules speak of: what other arguments name, and these paths below
 * each folder that another argument names. One without a path cannot be read.
 * @param paths those that its rules speak of
 */
export function joinedPaths(
  call: Pick<ReadCall, 'input' | 'known' | 'cwd' | 'argument'>,
  paths: readonly string[],
  argument = call.argument!,
): readonly JoinedText[] {
  const others = otherValues(argument, call, (name) => roleOf(name, argument))
  const unread = others.find(({ value }) => value === undefined)
  if (unread !== undefined) return [{ name: unread.name, text: undefined }]
  const of = (...roles: readonly Role[]): readonly Named[] =>
    others.flatMap(({ name, role, value }) =>
      typeof value === 'string' && roles.includes(role) ? [{ name, text: value }] : [],
    )
  const bases = of('base', 'unknown')
    .filter(({ text }) => !isWorkingFolder(text, call.cwd))
    .map(({ name, text }) => ({ name, text: trimEnd(text) }))
  // Some tools take a pattern that begins at the root as it is.
  const fromRoot = of('below').filter(({ text }) => /^(?:[/\\~$%]|[a-z]:)/i.test(text))
  const alone = [...of('path', 'unknown'), ...fromRoot]
  // Some look for a pattern at any depth.
  const inside = of('below').flatMap(({ name, text }) =>
    (paths.length === 0 ? ['.'] : paths).map((path) => below({ name, text: trimEnd(path) }, `**/${text}`)),
  )
  const all: readonly Named[] = [...paths.map((text) => ({ name: '', text })), ...alone, ...inside]
  if (bases.length > MAX_BASES || (bases.length + 1) ** 2 * all.length > MAX_CALL_PATHS) {
    return [{ name: (bases[0] ?? alone[0] ?? inside[0] ?? all[0]!).name, text: undefined }]
  }
  const pairs = bases.flatMap((first) => bases.filter((each) => each !== first).map((each) => below(first, each.text)))
  const joined = [...bases, ...pairs].flatMap((folder) =>
    all.filter(({ text }) => text !== folder.text).map(({ text }) => below(folder, text)),
  )
  return [...alone, ...inside, ...joined]
}

type Named = JoinedText & { readonly text: string }

function below({ name, text: folder }: Named, path: string): Named {
  return { name, text: `${folder}/${path}` }
}

/** A folder without separators at its end. */
function trimEnd(folder: string): string {
  return folder.replace(/(?<=[^/\\])[/\\]+$/, '')
}
