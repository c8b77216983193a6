import { type Diagnostic, type SOURCE_CODES, quoteName, showName } from '@repertoire/skill-md/internal'
import { type OpenError, errorCode } from '../folder/open-error.ts'
import { leftoverName, type SeenLeftover, STATE_FOLDER } from '../folder/leftovers.ts'
import { childPath } from '../folder/names.ts'
import { listSome } from '../../text/message.ts'

/** A finding of a scan, with a code of `SOURCE_CODES`. */
export interface ScanFinding extends Diagnostic {
  readonly code: keyof typeof SOURCE_CODES
}

/** The root of a source is a file. */
export function rootNotAFolder(path: string): ScanFinding {
  return {
    code: 'ROOT_NOT_A_FOLDER',
    severity: 'error',
    path,
    message: `${showName(path)} is a file, and a source reads a folder.`,
    hint: 'Pass the folder that holds the skills.',
  }
}

/** Something that an unfinished change has left. */
export function leftoverFound(root: string, leftover: SeenLeftover): ScanFinding {
  const left = showName(childPath(childPath(root, STATE_FOLDER), leftoverName(leftover)))
  const what = {
    old: leftover.isMissing ? 'its only copy' : 'what it was before',
    new: 'what it was to be',
    gone: 'what was being removed',
  }[leftover.kind]
  return {
    code: 'LEFTOVER_FOUND',
    severity: 'error',
    path: childPath(root, leftover.name),
    message: `A change of ${showName(leftover.name)} is unfinished${leftover.isMissing ? ', and its folder is missing' : ''}: ${left} holds ${what}.`,
    hint: 'Run "repertoire recover": it shows what is left, and finishes or undoes the change.',
  }
}

/** Differences that a finding names. */
const MAX_NAMED = 5

/** A locked skill whose files differ from the installed ones. @param path of its manifest */
export function lockDiffers(path: string, name: string, differences: readonly string[]): ScanFinding {
  return {
    code: 'LOCK_DIFFERS',
    severity: 'warning',
    path,
    message: `${quoteName(name)} is not what skills-lock.json says: ${listSome(differences, MAX_NAMED)}.`,
    hint: `"repertoire verify" compares every file. "repertoire install --force" brings back what was installed.`,
  }
}

/** A locked skill without a folder. */
export function lockedMissing(root: string, name: string): ScanFinding {
  return {
    code: 'LOCKED_SKILL_MISSING',
    severity: 'error',
    path: childPath(root, name),
    message: `${quoteName(name)} is in skills-lock.json, and its folder ${showName(childPath(root, name))} is missing.`,
    hint: 'Run "repertoire install" to bring it back, or "repertoire remove" with its name.',
  }
}

/** A lock that says nothing about the skills beside it. */
export function lockUnreadable(path: string): ScanFinding {
  return {
    code: 'LOCK_UNREADABLE',
    severity: 'warning',
    path,
    message: `${showName(path)} cannot be read, so it is not known whether its skills are what was installed.`,
    hint: '"repertoire verify" says what is wrong with it.',
  }
}

/** A root that exists but must not be used. */
export function untrusted(path: string): ScanFinding {
  return {
    code: 'WORKSPACE_UNTRUSTED',
    severity: 'warning',
    path,
    message: `${showName(path)} belongs to a workspace that is not trusted, so no skill of it was loaded.`,
    hint: 'Look at what the folder holds, then say that the workspace is trusted.',
  }
}

/** A project's configuration file that does not count. */
export function fileNotRead(path: string): ScanFinding {
  return {
    code: 'WORKSPACE_UNTRUSTED',
    severity: 'warning',
    path,
    message: `${showName(path)} was not read, because the program does not say that it trusts the project's settings.`,
    hint: 'Look at what the file sets, then load the configuration with `overrides: { trustProject: true }`.',
  }
}

/**
 * A folder of another client's that holds skills.
 * @param folders the setting `folders` with which it would be searched
 */
export function placeNotSearched(path: string, folders: readonly string[]): ScanFinding {
  const list = `[${folders.map((name) => JSON.stringify(name)).join(', ')}]`
  return {
    code: 'PLACE_NOT_SEARCHED',
    severity: 'info',
    path,
    message: `${showName(path)} holds skills of another client, and is not searched.`,
    hint: `To search it too, set "folders": ${list} in your configuration.`,
  }
}

/** A link among a source's folders. It is an error only if it leads to a skill: projects hold many other links. */
export function linkedFolder(
  path: string,
  leadsTo: 'a skill' | 'a folder' | 'no folder that can be read',
): ScanFinding {
  return {
    code: 'SKILL_FOLDER_LINKED',
    severity: leadsTo === 'a skill' ? 'error' : 'warning',
    path,
    message: `${showName(path)} is a link to ${leadsTo}, so nothing was loaded from it.`,
    hint: 'Put the folder itself there, or set followLinks if you trust what the links lead to.',
  }
}

/** Folders at the depth of the scan that hold more folders. */
export function depthReached(folders: readonly string[], depth: number): ScanFinding {
  return {
    code: 'SCAN_DEPTH_REACHED',
    severity: 'warning',
    path: folders[0]!,
    message: `${firstOf(folders)} holds folders deeper than the ${depth} levels that are searched.`,
    hint: 'Raise depth (64 at most), or move the skills up.',
  }
}

/** More folders than a scan searches. */
export function foldersReached(omitted: readonly string[], root: string, maxFolders: number): ScanFinding {
  return {
    code: 'SCAN_FOLDERS_REACHED',
    severity: 'warning',
    path: omitted[0]!,
    message: `${root} holds more than ${maxFolders} folders: ${firstOf(omitted)} was not searched.`,
    hint: 'Raise maxFolders, lower depth, or divide the folder into several sources.',
  }
}

function firstOf(paths: readonly string[]): string {
  return paths.length > 1 ? `${paths[0]} (and ${paths.length - 1} more)` : paths[0]!
}

/** A folder that cannot be listed or entered. */
export function unreadableFolder(path: string, failure: OpenError): ScanFinding {
  return {
    code: 'FOLDER_UNREADABLE',
    severity: 'warning',
    path,
    message: `${showName(path)} cannot be read (${errorCode(failure.cause) || failure.kind}), so skills in it are not known.`,
    hint: 'Give the user who runs this the right to read and enter the folder, or remove it.',
  }
}

/** A manifest that exists but was not opened. */
export function refusedManifest(path: string, failure: OpenError): ScanFinding {
  if (failure.kind === 'link') {
    return {
      code: 'MANIFEST_LINKED',
      severity: 'error',
      path,
      message: `${showName(path)} is a link, and a manifest is never read through one.`,
      hint: 'Put the file itself into the folder, or link the whole folder and set followLinks.',
    }
  }
  if (failure.kind === 'folder' || failure.kind === 'special') {
    return {
      code: 'MANIFEST_NOT_A_FILE',
      severity: 'error',
      path,
      message: `${showName(path)} is ${failure.kind === 'folder' ? 'a folder' : 'a pipe, a device or a socket'}, not a file.`,
      hint: 'Put a regular file there.',
    }
  }
  return {
    code: 'MANIFEST_UNREADABLE',
    severity: 'error',
    path,
    message: `${showName(path)} cannot be read (${errorCode(failure.cause) || 'unknown reason'}).`,
    hint: 'Give the user who runs this the right to read the file.',
  }
}
