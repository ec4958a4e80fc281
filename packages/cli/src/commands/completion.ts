/** Completion as one script for a shell, with all words in it: it asks nobody while somebody types. */
import { Argument, type Command } from 'commander'
import { GLOBAL_FLAGS } from '../connection-options.ts'
import { GUIDES } from '../guides.ts'
import { entries, nouns } from '../nouns.ts'

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

const COMMON = ['json', 'query', 'url', 'token', 'zone', 'data', 'help'].map((flag) => `--${flag}`)

function firstWords(): string[] {
  return [...GUIDES.map(({ name }) => name), ...nouns().map(({ name }) => name)]
}

/** By noun and verb. */
function flagWords(): [string, string[]][] {
  return entries().map(({ noun, verb, flags = [], search, waits, text }) => [
    `${noun} ${verb}`,
    [
      ...flags.map(({ flag }) => `--${GLOBAL_FLAGS.has(flag) ? `${noun}-` : ''}${flag}`),
      ...(search ? ['--filter', '--sort', '--count', '--from', '--all'] : []),
      ...(waits ? ['--wait'] : []),
      ...(text ? ['--file'] : []),
      ...(flags.some((flag) => flag.in === 'body') ? ['--body'] : []),
      ...COMMON,
    ],
  ])
}

/** Words have letters, digits and dashes alone, so none needs quotes. */
function cases(): string {
  const verbs = nouns().map(({ name, verbs: own }) => `    ${name}) words="${own.join(' ')}" ;;`)
  const flags = flagWords().map(
    ([command, words]) => `    "${command}") words="${words.join(' ')}" ;;`,
  )
  return `  if [ "$at" -eq 1 ]; then words="${firstWords().join(' ')}"
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
${cases()}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _kumoi kumoi
`
}

function zsh(): string {
  return `#compdef kumoi
_kumoi() {
  local at=$((CURRENT - 1)) noun=\${words[2]} verb=\${words[3]}
  _kumoi_words "$at" "$noun" "$verb"
}
_kumoi_words() {
  local at=$1 noun=$2 verb=$3 words
${cases()}
  compadd -- \${=words}
}
compdef _kumoi kumoi
`
}

function fish(): string {
  const line = (condition: string, words: readonly string[]) =>
    `complete -c kumoi -f -n '${condition}' -a '${words.join(' ')}'`
  return `${[
    line('__fish_use_subcommand', firstWords()),
    ...nouns().map(({ name, verbs }) =>
      line(
        `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${verbs.join(' ')}`,
        verbs,
      ),
    ),
    ...flagWords().map(([command, words]) =>
      line(`string match -q -- "kumoi ${command} *" (commandline -cp)`, words),
    ),
  ].join('\n')}\n`
}
