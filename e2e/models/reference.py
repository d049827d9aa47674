"""Unit vectors of the JSON list of texts on stdin, by a model as floats and with the tokenizer of its authors.

python reference.py FLOAT_ONNX TOKENIZER_JSON
"""

import json
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MAX_TOKENS = 256

session = onnxruntime.InferenceSession(sys.argv[1])
tokenizer = Tokenizer.from_file(sys.argv[2])
tokenizer.no_padding()
tokenizer.enable_truncation(MAX_TOKENS)
vectors = []
for text in json.load(sys.stdin):
    ids = np.int64([tokenizer.encode(text).ids])
    feeds = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }
    mean = session.run(None, feeds)[0][0].mean(0)
    vectors.append((mean / np.linalg.norm(mean)).tolist())
json.dump(vectors, sys.stdout)
