// Without "Try it out": pages of the short domain are no place to enter a token.
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api-reference',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
