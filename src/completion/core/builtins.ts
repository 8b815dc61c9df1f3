/** Builtins and reserved words of zsh, which always exist, whatever is on the PATH. */
export const BUILTINS = new Set(
  `alias autoload bg bindkey break builtin bye case cd chdir command continue declare dirs disown do done echo elif
  else emulate enable esac eval exec exit export false fc fg fi float for function functions getopts hash history if
  integer jobs kill let local logout popd print printf pushd pushln pwd read readonly rehash repeat return select set
  setopt shift source suspend test then time times trap true type typeset ulimit umask unalias unfunction unhash
  unset unsetopt until vared wait whence where which while zcompile zle zmodload zstyle`.split(/\s+/),
);

export const isBuiltin = (name: string): boolean => BUILTINS.has(name);

/** Whether the name of a builtin starts with `text`. */
export const hasBuiltinFrom = (text: string): boolean => [...BUILTINS].some((name) => name.startsWith(text));
