import type { Layer } from './skill.ts'

/** Highest first. In other clients `project` wins over `personal`, so the order is an option. */
export const DEFAULT_LAYERS: readonly Layer[] = ['enterprise', 'personal', 'project', 'plugin', 'bundled']
