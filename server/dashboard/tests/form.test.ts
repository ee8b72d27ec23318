// From the description of the API to fields, and from what was filled in to the body.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {bodyOf, fieldOf, fieldOfPointer, formOf, isComplete, valuesOf} from '../src/data/form';
import {boundsOf, endpointsOf, errorsOf, sampleOf, typeOf, type OpenApi} from '../src/data/openapi';

/** One endpoint in the shape of /openapi.json. */
const document: OpenApi = {
  info: {title: 'Freshet', version: '1'},
  servers: [{url: 'http://localhost'}],
  tags: [{name: 'forum'}],
  paths: {
    '/v1/forum/posts/comments': {
      post: {
        operationId: 'forum_posts_comments',
        summary: 'Comments',
        tags: ['forum'],
        'x-credits': 1,
        'x-scope': 'read',
        'x-errors': ['invalid_request'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                oneOf: [{required: ['id']}, {required: ['url']}],
                properties: {
                  id: {type: 'string', maxLength: 1024},
                  url: {type: 'string', format: 'uri'},
                  sort: {type: 'string', enum: ['best', 'new'], default: 'best'},
                  limit: {type: 'integer', minimum: 1, maximum: 100, default: 20},
                  sources: {
                    type: 'array',
                    items: {type: 'string'},
                    examples: [['lemmy', 'reddit']],
                  },
                  fields: {type: 'array', items: {type: 'string', enum: ['id', 'text']}},
                  images: {type: 'boolean', default: true},
                  cursor: {type: 'string'},
                  dry_run: {type: 'boolean'},
                },
              },
              example: {id: 'hackernews:1', sources: ['lemmy', 'reddit']},
            },
          },
        },
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  properties: {
                    data: {type: 'array', items: {$ref: '#/components/schemas/Comment'}},
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Comment: {
        type: 'object',
        properties: {
          object: {type: 'string', const: 'comment'},
          depth: {type: 'integer'},
          children: {type: 'array', items: {$ref: '#/components/schemas/Comment'}},
        },
      },
    },
    responses: {
      Problem402: {
        content: {
          'application/problem+json': {
            examples: {
              too_dear: {
                value: {title: 'T', status: 402, detail: 'D', code: 'too_dear', retryable: false},
              },
            },
          },
        },
      },
    },
  },
};

const [endpoint] = endpointsOf(document);
assert.ok(endpoint);
const form = formOf(endpoint);
const fields = [...form.main, ...form.more];

test('an endpoint is read with its answer, its price and its alternatives', () => {
  assert.equal(endpoint.path, 'forum/posts/comments');
  assert.deepEqual(endpoint.answers, {objects: ['Comment'], list: true});
  assert.deepEqual(endpoint.oneOf, [['id'], ['url']]);
  assert.equal(endpoint.credits, 1);
});

test('a list of several objects names each of them', () => {
  const several = structuredClone(document);
  const found = several.paths['/v1/forum/posts/comments'];
  const data =
    found?.post.responses['200']?.content?.['application/json']?.schema?.properties?.['data'];
  assert.ok(data);
  data.items = {
    anyOf: [{$ref: '#/components/schemas/Post'}, {$ref: '#/components/schemas/Video'}],
  };
  assert.deepEqual(endpointsOf(several)[0]?.answers, {objects: ['Post', 'Video'], list: true});
});

test('each type has its kind of field; the page keeps cursor and dry_run to itself', () => {
  const kinds = Object.fromEntries(fields.map(field => [field.name, field.kind]));
  assert.deepEqual(kinds, {
    id: 'text',
    url: 'text',
    sort: 'choice',
    images: 'flag',
    limit: 'number',
    sources: 'list',
    fields: 'choices',
  });
  assert.deepEqual(
    form.more.map(field => field.name),
    ['limit', 'sources', 'fields'],
  );
});

test('a field says its bounds, its default and an example', () => {
  const limit = fields.find(field => field.name === 'limit');
  assert.equal(boundsOf({type: 'integer', minimum: 1, maximum: 100}), '1 to 100');
  assert.equal(limit?.fallback, '20');
  assert.equal(fields.find(field => field.name === 'sources')?.placeholder, 'lemmy, reddit');
  assert.equal(
    fieldOf({name: 'max_age_s', schema: {type: 'integer'}, required: true}).label,
    'Max age s',
  );
});

test('the body has what was filled in, in its type, and nothing else', () => {
  const values = {
    id: 'a:1',
    url: ' ',
    limit: '5',
    sources: 'x, y,\nz,',
    images: 'false',
    fields: '',
  };
  assert.deepEqual(bodyOf(fields, values), {
    id: 'a:1',
    images: false,
    limit: 5,
    sources: ['x', 'y', 'z'],
  });
});

test('a number that is none is sent as it was typed, for the server to name', () => {
  assert.deepEqual(bodyOf(fields, {limit: 'many'}), {limit: 'many'});
});

test('the example fills the form and comes back the same', () => {
  assert.deepEqual(bodyOf(fields, valuesOf(endpoint.example)), endpoint.example);
});

test('a quote is asked for once one of the alternatives is there', () => {
  assert.equal(isComplete(endpoint, {}), false);
  assert.equal(isComplete(endpoint, {sort: 'new'}), false);
  assert.equal(isComplete(endpoint, {url: 'https://example.org/'}), true);
});

test('a pointer finds its field', () => {
  assert.equal(fieldOfPointer('/since'), 'since');
  assert.equal(fieldOfPointer('/sources/0'), 'sources');
  assert.equal(fieldOfPointer('/a~1b~0c'), 'a/b~c');
});

test('errors come by status, types in words, and samples end', () => {
  assert.deepEqual(
    errorsOf(document).map(one => one.code),
    ['too_dear'],
  );
  assert.equal(typeOf({type: ['integer', 'null']}), 'integer or null');
  assert.equal(
    typeOf({type: 'array', items: {$ref: '#/components/schemas/Comment'}}),
    'list of Comment',
  );
  const sample = JSON.stringify(sampleOf({$ref: '#/components/schemas/Comment'}, document));
  assert.ok(sample.startsWith('{"object":"comment","depth":1'));
  assert.ok(sample.length < 1000);
});

test('an object is typed as JSON, and sent as it was typed where it is none', () => {
  const field = fieldOf({name: 'schema', schema: {type: 'object'}, required: true});
  assert.equal(field.kind, 'object');
  assert.deepEqual(bodyOf([field], {schema: '{"a": [1]}'}), {schema: {a: [1]}});
  assert.deepEqual(bodyOf([field], {schema: '{"a"'}), {schema: '{"a"'});
  assert.deepEqual(valuesOf({schema: {a: [1]}}), {schema: '{"a":[1]}'});
});
