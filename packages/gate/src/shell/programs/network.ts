import { list, type Program } from './program.ts'

/** Categories of nmap's scripts, families of their names, and the scripts that are used most: it has these in every version. */
const NMAP_CATEGORIES = list(
  'all auth broadcast brute default discovery dos exploit external fuzzer intrusive malware safe version vuln',
)
const NMAP_SCRIPTS = list(
  'banner dns-brute dns-zone-transfer ftp-anon ftp-bounce ftp-syst http-auth http-enum http-headers http-methods ' +
    'http-robots.txt http-sql-injection http-title http-wordpress-enum mysql-info nbstat nfs-showmount rdp-ntlm-info ' +
    'smb-enum-shares smb-enum-users smb-os-discovery smb-security-mode smb-vuln-ms08-067 smb-vuln-ms17-010 smb2-time ' +
    'smb2-security-mode smtp-commands smtp-enum-users smtp-open-relay snmp-info ssh-auth-methods ssh-hostkey ' +
    'ssh2-enum-algos ssl-cert ssl-enum-ciphers ssl-heartbleed vulners whois-domain',
)
const NMAP_FAMILY =
  /^(?:(?:dns|ftp|http|imap|ldap|ms-sql|mysql|nfs|pop3|rdp|smb|smtp|snmp|ssh|ssl|vnc)-?|(?:http|smb)-vuln-?)\*$/

function areNmapScripts(names: string): boolean {
  return names
    .split(',')
    .every((name) => NMAP_CATEGORIES.includes(name) || NMAP_SCRIPTS.includes(name) || NMAP_FAMILY.test(name))
}

/** Programs for the network, for other machines, and for keys. */
export const NETWORK: readonly Program[] = [
  {
    names: ['ssh'],
    exactOnly: 'runs-programs',
    readsCommands: true,
    examples: { refused: ['ssh host id'] },
  },
  {
    names: list('sftp lftp mosh autossh sshfs ssh-copy-id socat ncat'),
    exactOnly: 'runs-programs',
    examples: { refused: ['sftp host'] },
  },
  {
    names: ['curl'],
    unsafe: {
      options: list(
        '--config --engine --libcurl --trace --trace-ascii --stderr --cookie-jar --dump-header --hsts --alt-svc --etag-save ' +
          '--ssl-sessions',
      ),
      harmless: ['--cookie'],
      letters: 'cDK',
      valued: 'AbdeFHouwX',
      // Behind -w, what goes to a file; and any option, with a value that is only known when it runs.
      shape: /%output\{|^--expand-(?!(?:url|data|json|header|user-agent|output)$)/,
      // A format in a file may say the same.
      choices: [{ options: ['--write-out', '-w'], values: { has: (format) => !format.startsWith('@') } }],
    },
    examples: {
      permitted: ['curl -fsSL https://a.b -o x', "curl -sw '%{http_code}' --expand-url x"],
      refused: [
        'curl -sK x',
        "curl -w '%output{x}y' https://a.b",
        'curl -w @x https://a.b',
        'curl -sw@x https://a.b',
        'curl --write-o @x https://a.b',
        'curl --expand-config x https://a.b',
      ],
    },
  },
  {
    names: ['yt-dlp', 'youtube-dl', 'yt-dlp_linux'],
    unsafe: {
      // Others run programs, load plugins and configurations, or write what they are given to files.
      known:
        /^-(?:[FxqvsjJS4ik]|[fopPS].*|-(?:format|list-formats|extract-audio|audio-format|audio-quality|video-password|quiet|verbose|no-playlist|yes-playlist|playlist-items|playlist-start|playlist-end|get-\w+|dump-json|dump-single-json|skip-download|write-subs|write-auto-subs|write-sub|write-auto-sub|sub-langs|sub-lang|sub-format|list-subs|print|simulate|version|newline|no-progress|restrict-filenames|no-warnings|output|format-sort|flat-playlist|match-title|merge-output-format|paths|recode-video|remux-video|limit-rate|retries|embed-subs|embed-thumbnail|embed-metadata|no-overwrites|continue|max-downloads)(?:=.*)?)$/s,
    },
    examples: {
      permitted: ['yt-dlp -f best -P x -o y https://a.b', 'yt-dlp --dump-json https://a.b'],
      refused: ['yt-dlp --exec id x', 'yt-dlp --exe id x', 'yt-dlp --netrc-cmd id x', 'yt-dlp --config-locations x y'],
    },
  },
  {
    names: ['wget'],
    unsafe: {
      options: list(
        '--config --execute --use-askpass --output-file --append-output --rejected-log --save-cookies --hsts-file --warc-file ' +
          // Of wget2.
          '--plugin --local-plugin --plugin-dirs --plugin-opt --stats-all --stats-dns --stats-ocsp --stats-server --stats-site ' +
          '--stats-tls --tls-session-file --ocsp-file --hpkp-file --dns-cache-preload --gnupg-homedir',
      ),
      letters: 'aeo',
      valued: 'AOPTU',
    },
    examples: {
      permitted: ['wget -qO- https://a.b'],
      refused: ['wget --use-askpass=id x', 'wget -o x https://a.b', 'wget2 --local-plugin=x y'],
    },
  },
  {
    names: ['nc', 'netcat'],
    unsafe: { options: ['--exec', '--sh-exec', '--lua-exec', '--output'], letters: 'ceo' },
    examples: { permitted: ['nc -z a 1'], refused: ['nc -e id a 1'] },
  },
  {
    names: ['nmap'],
    unsafe: {
      options: ['--datadir', '--append-output', '--servicedb', '--versiondb'],
      // A script that it does not have itself is looked for in the working folder, by a plain name too.
      choices: [{ options: ['--script', '--script-help'], values: { has: areNmapScripts } }],
      // One dash does for long options too.
      shape: /^--?o[A-Z]|^-(?:scr|dat|app|serviced|versiond)/,
    },
    examples: {
      permitted: ['nmap -sV --script vuln a'],
      refused: ['nmap --script=./x a', 'nmap -script=./x a', 'nmap --oN x a'],
    },
  },
  {
    names: ['tcpdump'],
    unsafe: { letters: 'wz' },
    examples: { permitted: ['tcpdump -G 5'], refused: ['tcpdump -Gz x'] },
  },
  {
    names: ['tshark'],
    unsafe: { options: ['--export-objects', '--export-tls-session-keys', '--log-file'], letters: 'wX' },
    examples: { permitted: ['tshark -r x'], refused: ['tshark -X lua_script:x'] },
  },
  {
    names: ['ss'],
    unsafe: { options: ['--diag', '--kill'], letters: 'DK' },
    examples: { permitted: ['ss -tlnp'], refused: ['ss --kill'] },
  },
  {
    names: ['ip'],
    // Every abbreviation is accepted: "ip netns exec", "-batch".
    unsafe: { shape: /^(?:e|ex|exe|exec|-(?:b|ba|bat|batc|batch))$/ },
    examples: { permitted: ['ip addr show'], refused: ['ip netns exec x id', 'ip -ba x'] },
  },
  {
    names: ['iptables', 'ip6tables'],
    unsafe: { options: ['--modprobe'], letters: 'M' },
    examples: { permitted: ['iptables -L'], refused: ['iptables -M id -L'] },
  },
  {
    names: ['openssl'],
    unsafe: {
      syntax: 'single-dash',
      options: list(
        '-engine -ssl_client_engine -provider -provider-path -module -config -keylogfile -msgfile -writerand -sess_out',
      ),
      words: ['engine', 'fipsinstall'],
    },
    examples: {
      permitted: ['openssl x509 -in x -text'],
      refused: [
        'openssl req -config x',
        'openssl x509 --engine=x',
        'openssl s_client -ssl_client_engine x',
        'openssl fipsinstall x',
      ],
    },
  },
  {
    names: ['gpg', 'gpg2'],
    unsafe: {
      options: list(
        '--agent-program --dirmngr-program --photo-viewer --exec-path --options --homedir --load-extension --output ' +
          '--log-file --logger-file --status-file --attribute-file --use-embedded-filename',
      ),
      letters: 'o',
    },
    examples: { permitted: ['gpg --list-keys'], refused: ['gpg -k --agent-program id', 'gpg -o x -d y'] },
  },
  {
    names: ['ssh-keygen'],
    unsafe: { letters: 'Dw' },
    examples: { permitted: ['ssh-keygen -lf x'], refused: ['ssh-keygen -D ./x.so'] },
  },
  {
    names: ['ssh-add'],
    unsafe: { letters: 'sS' },
    examples: { permitted: ['ssh-add -l'], refused: ['ssh-add -s ./x.so'] },
  },
  {
    names: ['agent-browser'],
    unsafe: { options: ['--executable-path', '--extension', '--config', '--args'] },
    examples: { permitted: ['agent-browser open x'], refused: ['agent-browser --args=x open y'] },
  },
]
