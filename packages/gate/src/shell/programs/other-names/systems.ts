import type { OtherNames } from './other-names.ts'

/** Network, disks, services and databases of a system. */
export const SYSTEMS: Readonly<Record<string, OtherNames>> = {
  // The names that iproute2 lists are beginnings of each other too, so that none is excluded from being an abbreviation.
  'ip tc bridge rdma devlink': {
    abbreviates: 'beginnings',
    same: ['show|list|lst', 'tunnel|tunl', 'neighbour|neighbor'],
  },
  nmcli: { abbreviates: 'beginnings', same: ['connection', 'device', 'general', 'networking', 'radio', 'monitor'] },
  nft: { same: ['delete|destroy', 'add|create|insert'] },
  systemctl: {
    separator: /\./,
    same: [
      'reload-or-try-restart|try-reload-or-restart|force-reload',
      'try-restart|condrestart|condstop',
      'poweroff|start poweroff|isolate poweroff',
      'reboot|start reboot|isolate reboot',
      'halt|start halt|isolate halt',
    ],
  },
  zfs: { same: ['snapshot|snap', 'receive|recv', 'unmount|umount'] },
  diskutil: { same: ['unmount|umount', 'unmountdisk|umountdisk'] },
  hdiutil: { abbreviates: 'beginnings', same: ['detach|eject|unmount', 'attach|mount'] },
  defaults: { same: ['delete|remove'] },
  mysqladmin: {
    abbreviates: 'beginnings',
    same: ['create', 'drop', 'shutdown', 'status', 'ping', 'password', 'version'],
  },
}
