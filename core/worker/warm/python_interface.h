// What a warm Python's module uses of Python's stable interface. Declared here: no version's headers are needed to build
// it, and the interpreter that loads it has the functions.
#pragma once

#include <sys/types.h>

extern "C" {

struct PyObject;

struct PyMethodDef {
    const char *name;
    PyObject *(*function)(PyObject *self, PyObject *arguments);
    int flags;
    const char *text;
};

struct PyModuleDefBase {
    ssize_t references;
    PyObject *type;
    PyObject *(*init)();
    ssize_t index;
    PyObject *copy;
};

struct PyModuleDef {
    PyModuleDefBase base;
    const char *name;
    const char *text;
    ssize_t stateSize;
    PyMethodDef *methods;
    void *slots = nullptr;
    void *traverse = nullptr;
    void *clear = nullptr;
    void *free = nullptr;
};

PyObject *PyModuleDef_Init(PyModuleDef *definition);
void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
PyObject *Py_BuildValue(const char *format, ...);
PyObject *PyBytes_FromStringAndSize(const char *bytes, ssize_t size);
char *PyBytes_AsString(PyObject *bytes);
long PyLong_AsLong(PyObject *number);
PyObject *PyTuple_GetItem(PyObject *tuple, ssize_t at);
PyObject *PyDict_New();
void PyDict_Clear(PyObject *dictionary);
ssize_t PyDict_Size(PyObject *dictionary);
PyObject *PyDict_GetItem(PyObject *dictionary, PyObject *key);
int PyDict_SetItem(PyObject *dictionary, PyObject *key, PyObject *value);
PyObject *PyObject_CallFunctionObjArgs(PyObject *function, ...);
PyObject *Py_CompileString(const char *text, const char *path, int start);
PyObject *PyEval_EvalCode(PyObject *code, PyObject *globals, PyObject *locals);
void PyErr_Fetch(PyObject **kind, PyObject **value, PyObject **trace);
void PyErr_NormalizeException(PyObject **kind, PyObject **value, PyObject **trace);
void PyErr_SetString(PyObject *kind, const char *text);
void PyErr_Print();
void PyOS_BeforeFork();
void PyOS_AfterFork_Parent();
void PyOS_AfterFork_Child();

extern PyObject *PyExc_SyntaxError;
}

inline constexpr int withArguments = 1; ///< METH_VARARGS
inline constexpr int withoutArguments = 4; ///< METH_NOARGS
inline constexpr int fileInput = 257; ///< Py_file_input
