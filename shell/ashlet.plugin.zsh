# For plugin managers, which look for a file of this name.
source "${${(%):-%x}:A:h}/ashlet.zsh"
