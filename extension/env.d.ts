interface ImportMetaEnv {
  /** Address of the server that the extension uses until the user chooses another. */
  readonly WXT_CURT_SERVER?: string;
}
