/** Completion as one script for a shell, with all words in it: it asks nobody while somebody types. */
import { Argument, type Command } from 'commander'
import { isAskedFor } from '../confirm.ts'
import { TAKEN_FLAGS } from '../global-flags.ts'
import { GUIDES } from '../guides.ts'
import { entries, nouns } from '../nouns.ts'
import { FORMATS } from '../output-options.ts'

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Prints a completion script: source <(kumoi completion bash)')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .action((shell: string) => {
      process.stdout.write(SHELLS[shell]?.() ?? '')
    })
}

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish }

const COMMON = [
  ...['output', 'json', 'columns', 'query', 'utc'],
  ...['url', 'token', 'zone', 'data', 'help'],
].map((flag) => `--${flag}`)

function firstWords(): string[] {
  return [...GUIDES.map(({ name }) => name), ...nouns(), '--version', '--help']
}

function verbsOf(noun: string): string[] {
  return entries().flatMap((entry) => (entry.noun === noun ? [entry.verb] : []))
}

/** By noun and verb. */
function flagWords(): [string, string[]][] {
  return entries().map((entry) => {
    const { noun, verb, flags = [], search, waits, text, media, transfer } = entry
    const own = [
      ...flags.map(({ flag }) => (TAKEN_FLAGS.has(flag) ? `${noun}-${flag}` : flag)),
      ...(search ? ['filter', 'sort', 'count', 'from', 'include', 'exclude', 'all'] : []),
      ...(waits ? ['wait'] : []),
      ...(text || transfer === 'upload' ? ['file'] : []),
      ...(media || transfer === 'download' ? ['save-as'] : []),
      ...(isAskedFor(entry) ? ['yes'] : []),
      ...(flags.some((flag) => flag.in === 'body') ? ['body'] : []),
    ]
    return [`${noun} ${verb}`, [...own.map((flag) => `--${flag}`), ...COMMON]]
  })
}

/** Words have letters, digits and dashes alone, so none needs quotes. */
function cases(): string {
  const verbs = nouns().map((noun) => `    ${noun}) words="${verbsOf(noun).join(' ')}" ;;`)
  const flags = flagWords().map(
    ([command, words]) => `    "${command}") words="${words.join(' ')}" ;;`,
  )
  return `  if [ "$before" = --output ]; then words="${FORMATS.join(' ')}"
  elif [ "$at" -eq 1 ]; then words="${firstWords().join(' ')}"
  elif [ "$at" -eq 2 ]; then case "$noun" in
${verbs.join('\n')}
    *) words="${COMMON.join(' ')}" ;;
  esac
  else case "$noun $verb" in
${flags.join('\n')}
    *) words="${COMMON.join(' ')}" ;;
  esac
  fi`
}

function bash(): string {
  return `_kumoi() {
  local at=$COMP_CWORD noun=\${COMP_WORDS[1]} verb=\${COMP_WORDS[2]} words
  local before=\${COMP_WORDS[COMP_CWORD - 1]}
${cases()}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kumoi kumoi
`
}

function zsh(): string {
  return `#compdef kumoi
_kumoi() {
  _kumoi_words "$((CURRENT - 1))" "\${words[2]}" "\${words[3]}" "\${words[CURRENT - 1]}"
}
_kumoi_words() {
  local at=$1 noun=$2 verb=$3 before=$4 words
${cases()}
  compadd -- \${=words}
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _kumoi kumoi
`
}

function fish(): string {
  const line = (condition: string, words: readonly string[]) =>
    `complete -c kumoi -f -n '${condition}' -a '${words.join(' ')}'`
  return `${[
    line('__fish_use_subcommand', firstWords()),
    ...nouns().map((noun) => {
      const verbs = verbsOf(noun)
      const seen = `__fish_seen_subcommand_from ${noun}`
      return line(`${seen}; and not __fish_seen_subcommand_from ${verbs.join(' ')}`, verbs)
    }),
    ...flagWords().map(([command, words]) =>
      line(`string match -q -- "kumoi ${command} *" (commandline -cp)`, words),
    ),
    `complete -c kumoi -l output -x -a '${FORMATS.join(' ')}'`,
  ].join('\n')}\n`
}
